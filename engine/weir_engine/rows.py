"""A campaign's results as rows, whatever store they are in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.records import RunDocument

from weir_engine import jsonfile
from weir_engine.campaign_record import CampaignRecord, RecordedRun
from weir_engine.states import FINISHED
from weir_engine.store import Store

if TYPE_CHECKING:
    from weir.metrics import Metrics
    from weir.rundir import RunData

__all__ = ["Row", "distinct", "flat", "read"]


@dataclass(frozen=True)
class Row:
    """One run of a campaign: what was asked and where it stands.

    metrics: the content of metrics.json; None unless the run succeeded or is invalid.
    bring: puts the run directory below `path`, only the file of that name where one is given, when
    it is kept elsewhere.
    """

    key: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    state: str
    reason: str
    path: Path
    metrics: Metrics | None
    bring: Callable[[str | None], None] | None = None

    def document(self) -> RunDocument:
        """run.json."""
        if self.bring:
            self.bring("run.json")
        found: RunDocument = jsonfile.read(self.path / "run.json")
        return found

    def records(self) -> RunData:
        """What the run recorded."""
        from weir import rundir  # noqa: PLC0415 - heavy

        if self.bring:
            self.bring(None)
        return rundir.load(self.path)


def read(store: Store, record: CampaignRecord) -> list[Row]:
    """The runs of a campaign's record in its order, each once; of a search its results."""
    states = store.states(run["key"] for run in record["runs"])
    found = [_row(store, run, *states[run["key"]]) for run in record["runs"]]
    if not (asked := record["spec"].get("search")):
        return found
    from weir.spec.search import Search  # noqa: PLC0415 - slow to import

    from weir_engine.search.results import results  # noqa: PLC0415

    return results(Search.model_validate(asked), found)


def _row(store: Store, run: RecordedRun, state: str, reason: str) -> Row:
    finished = state in FINISHED
    path = store.run_path(run["key"]) if finished else store.failed_path(run["key"])
    metrics = jsonfile.read(path / "metrics.json") if finished else None
    levels, replicate, seed = run["levels"], run["replicate"], run["seed"]
    return Row(run["key"], levels, replicate, seed, state, reason, path, metrics)


def distinct(rows: Iterable[Row]) -> int:
    """How many different results finished runs have: metric by metric, rounded as they are kept.

    Where nothing random happens, replicates are all alike, and say no more than one of them.
    """
    return len({jsonfile.line(row.metrics) for row in rows})


def flat(campaign: str, row: Row) -> Iterator[dict[str, Any]]:
    """One dict per client of a finished run: levels, client metrics, run metrics.

    A run metric that shares its name with a client metric gets the prefix `run_`.
    """
    if row.metrics is None:
        return
    for client in row.metrics["clients"]:
        yield {
            "campaign": campaign,
            "key": row.key,
            "replicate": row.replicate + 1,
            "seed": row.seed,
            "outcome": row.state,
            **{path: _cell(level) for path, level in row.levels.items()},
            **client,
            **{
                (f"run_{name}" if name in client else name): value
                for name, value in row.metrics["run"].items()
            },
        }


def _cell(level: Any) -> Any:
    return level if isinstance(level, str) else jsonfile.line(level)
