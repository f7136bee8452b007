"""Campaigns with results on a platform: real run directories of the stand-in cell, and rows."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml
from sqlalchemy import select
from sqlalchemy.orm import Session
from weir import runkey
from weir.expand import Expansion
from weir.expand import Run as PlannedRun
from weir.spec.load import load_campaign
from weir_engine import jsonfile
from weir_engine.perform import write_run
from weir_engine.row import digest
from weir_engine.task import Environment, Task
from weir_lab.kernel import Kernel
from weir_orchestrator.db import Campaign, Combination, Result, Run, utc_now
from weir_orchestrator.objects import failed_prefix, put_folder, run_prefix
from weir_orchestrator.work.metric_rows import store_values

from weir_testing.platform import Platform, id_of
from weir_testing.platform.campaigns import SPEC
from weir_testing.stand_in.cell import run_cell

__all__ = [
    "API",
    "CC",
    "METRIC",
    "SHAPING",
    "Made",
    "all_but",
    "answers",
    "make_runs",
    "read",
    "stand_in",
    "store",
]

API: Final = "/api/v1"
CC: Final = "server.congestion_control"
SHAPING: Final = "gateway.shaping.method"
METRIC: Final = "mean_bitrate_bps"

_OUTCOMES: Final = frozenset({"succeeded", "invalid"})
KERNEL: Final = Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-test", ("cubic", "reno"))


@dataclass(frozen=True)
class Made:
    """A campaign that was carried out into folders, by run key."""

    spec: dict[str, Any]
    runs: list[PlannedRun]
    keys: list[str]
    folders: dict[str, Path]

    def values(self, rank: int | None, **levels: str) -> dict[int, float]:
        """Seed -> METRIC of the client of that rank, or the mean over clients."""
        found = {}
        for run, key in zip(self.runs, self.keys, strict=True):
            if all(run.levels[path] == level for path, level in levels.items()):
                clients = jsonfile.read(self.folders[key] / "metrics.json")["clients"]
                chosen = [each[METRIC] for each in clients if rank in {None, each["rank"]}]
                found[run.seed] = float(np.mean(chosen))
        return found


def stand_in(folder: Path) -> Environment:
    """Runs by the stand-in cell, without a kernel."""
    roles = {"hash": "r" * 32, "python": "3"}
    return Environment(folder / "store", KERNEL, roles, 60.0, run_cell=run_cell)


def make_runs(folder: Path, **changes: Any) -> Made:
    """Carry out SPEC with some keys replaced, by the stand-in cell, below a folder."""
    environment = stand_in(folder)
    spec = {**SPEC, **changes}
    path = folder / f"{spec['name']}.yaml"
    path.write_text(yaml.safe_dump(spec))
    runs = list(Expansion(load_campaign(path)).runs())
    keys, folders = [], {}
    for run in runs:
        key = runkey.run_key(run.experiment, run.seed, KERNEL.hash, environment.roles["hash"])
        keys.append(key)
        out = folder / key / "run"
        if not out.exists():
            out.mkdir(parents=True)
            task = Task(key, run.campaign, run.levels, run.replicate, run.seed, run.experiment)
            write_run(task, environment, out)
            jsonfile.write(out / "host.json", {"host": "here", "history": []})
        folders[key] = out
    return Made(spec, runs, keys, folders)


def read(platform: Platform, path: str, **params: Any) -> Any:
    """What a reader is told at a path of the API."""
    answer = platform.client("read").get(API + path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def answers(
    platform: Platform, campaign: uuid.UUID, asked: Iterable[tuple[str, dict[str, Any]]]
) -> list[Any]:
    """What a reader is told at paths of a campaign, each with its parameters."""
    return [read(platform, f"/campaigns/{campaign}/{what}", **params) for what, params in asked]


def all_but(others: Mapping[int, str]) -> Callable[[int], str]:
    """For `store`: others: position -> state of what did not succeed."""
    return lambda position: others.get(position, "succeeded")


def store(
    platform: Platform,
    made: Made,
    *,
    team: str = "qoe-lab",
    state_of: Callable[[int], str] = lambda position: "succeeded",
    failed: Path | None = None,
) -> uuid.UUID:
    """Put a campaign into the database and its run directories into the object store.

    state_of: state of the run at a position; finished ones get results, failed ones a log, or the
    files in `failed`.
    """
    campaign_id = uuid.uuid4()
    with platform.sessions.begin() as session:
        session.add(_campaign(campaign_id, made, team))
        session.flush()
        numbers: dict[int, int] = {}
        outcomes = {key: state_of(position) for position, key in enumerate(made.keys)}
        results = _results(platform, session, made, outcomes)
        for position, (run, key) in enumerate(zip(made.runs, made.keys, strict=True)):
            number = numbers.setdefault(id(run.levels), len(numbers))
            if run.replicate == 0:
                session.add(
                    Combination(
                        campaign_id=campaign_id,
                        number=number,
                        levels=run.levels,
                        experiment=run.experiment,
                    )
                )
            state = state_of(position)
            ended = state in {"succeeded", "invalid", "failed"}
            if state == "failed":
                platform.objects.put_bytes(f"failed/{key}/log.txt", b"why it failed\n")
                if failed is not None:
                    put_folder(platform.objects, failed_prefix(key), failed)
            session.add(
                Run(
                    campaign_id=campaign_id,
                    position=position,
                    combination=number,
                    replicate=run.replicate,
                    seed=run.seed,
                    key=key,
                    clock=run.experiment["clock"],
                    state=state,
                    reason="the cell gave up" if state == "failed" else "",
                    result_id=results[key] if state in _OUTCOMES else None,
                    wall_s=1.0 + position if ended else None,
                    started_at=utc_now() if ended else None,
                    ended_at=utc_now() if ended else None,
                )
            )
    return campaign_id


def _campaign(campaign_id: uuid.UUID, made: Made, team: str) -> Campaign:
    return Campaign(
        id=campaign_id,
        team_id=id_of(team),
        name=made.spec["name"],
        description=made.spec.get("description", ""),
        document=yaml.safe_dump(made.spec),
        spec=made.spec,
        factors=list(made.spec["factors"]),
        kernel_hash="k",
        roles_hash="r",
        state="finished",
        combination_count=len(made.runs) // made.spec["replicates"],
        replicates=made.spec["replicates"],
        run_count=len(made.runs),
        expanded=len(made.runs),
    )


def _results(
    platform: Platform, session: Session, made: Made, outcomes: dict[str, str]
) -> dict[str, int]:
    """Ids of the runs' results by key; those that are not there yet are written, all at once."""
    wanted = [key for key, outcome in outcomes.items() if outcome in _OUTCOMES]
    stored = select(Result.key, Result.id).where(Result.key.in_(wanted))
    there = dict(session.execute(stored).all())
    new = [
        _result(platform, key, outcomes[key], made.folders[key])
        for key in wanted
        if key not in there
    ]
    session.add_all(new)
    session.flush()
    store_values(session, {result.id: result.metrics for result in new})
    return there | {result.key: result.id for result in new}


def _result(platform: Platform, key: str, outcome: str, folder: Path) -> Result:
    metrics = jsonfile.read(folder / "metrics.json")
    return Result(
        key=key,
        outcome=outcome,
        size_bytes=put_folder(platform.objects, run_prefix(key), folder, new=True),
        film_s=20.0,
        wall_s=1.0,
        metrics=metrics,
        digest=digest(metrics),
    )
