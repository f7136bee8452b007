"""What becomes of a submitted campaign: its runs, written some at a time."""

from __future__ import annotations

import uuid
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import delete, func, select
from weir.expand import Expansion
from weir.resolved import Experiment
from weir.runkey import run_key
from weir.spec.load import load_campaign
from weir_orchestrator.db import Campaign, Combination, Event, Lease, Run, Worker
from weir_orchestrator.lifecycle import end_runs, settle_if_over, table
from weir_orchestrator.work.claim import Claim, Versions, claim
from weir_testing.platform import Platform, id_of
from weir_testing.platform.campaigns import (
    SPEC,
    expand_all,
    expand_some,
    expander,
    stored_result,
    submit,
)

LEASE = timedelta(seconds=30)


def _worker(platform: Platform) -> uuid.UUID:
    row = Worker(host="here", pid=1, jobs=2)
    with platform.sessions.begin() as session:
        session.add(row)
    return row.id


def _versions(made: dict[str, Any]) -> Versions:
    return Versions(made["roles_hash"], (made["kernel_hash"],))


def _claim(platform: Platform, made: dict[str, Any], at_most: int = 1) -> list[Claim]:
    worker = _worker(platform)
    with platform.sessions.begin() as session:
        return claim(session, worker, _versions(made), LEASE, at_most)


def test_a_submission_becomes_the_runs_that_the_command_would_make(
    platform: Platform, tmp_path: Path
) -> None:
    made = submit(platform.client("submit"))
    assert made["state"] == "expanding"
    assert (made["combination_count"], made["run_count"], made["expanded"]) == (4, 12, 0)
    assert made["created_by"] == str(id_of("submit"))
    expand_all(platform)

    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SPEC))
    asked = list(Expansion(load_campaign(path)).runs())
    with platform.sessions() as session:
        runs = session.scalars(select(Run).order_by(Run.position)).all()
        experiments: dict[int, Experiment] = dict(
            session.execute(select(Combination.number, Combination.experiment)).all()
        )
        levels = session.scalars(select(Combination.levels).order_by(Combination.number)).all()
    assert [run.position for run in runs] == list(range(12))
    assert [(run.replicate, run.seed) for run in runs] == [(r.replicate, r.seed) for r in asked]
    assert [run.key for run in runs] == [
        run_key(run.experiment, run.seed, made["kernel_hash"], made["roles_hash"]) for run in asked
    ]
    assert [experiments[run.combination] for run in runs] == [run.experiment for run in asked]
    assert list(levels[1].items()) == list(asked[3].levels.items())
    assert {run.state for run in runs} == {"queued"}

    shown = platform.client("read").get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("active", {"queued": 12})
    assert shown["film_s"] == 12 * 20


def test_expansion_goes_on_where_another_process_stopped(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    assert expand_some(platform, at_most=5)
    assert expand_all(platform, at_most=5) == 2
    with platform.sessions() as session:
        found = session.execute(
            select(func.count(), func.count(Run.position.distinct()), func.max(Run.position))
        ).one()
        assert tuple(found) == (12, 12, 11)
        assert session.scalar(select(func.count()).select_from(Combination)) == 4
        assert session.scalars(select(Campaign.state)).one() == "active"
    assert made["run_count"] == 12


def test_runs_begin_while_others_are_written(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    assert expand_some(platform, at_most=5)
    taken = _claim(platform, made, at_most=64)
    assert [each.position for each in taken] == [0, 1, 2, 3, 4]
    with platform.sessions.begin() as session:
        session.execute(delete(Lease))
        end_runs(session, Run.state == "running", table.FAIL, "it broke")
    with platform.sessions.begin() as session:
        settle_if_over(session, uuid.UUID(made["id"]))
        assert session.scalars(select(Campaign.state)).one() == "expanding"
    assert expand_all(platform)
    with platform.sessions() as session:
        assert session.scalars(select(Campaign.state)).one() == "active"
        states = session.scalars(select(Run.state).order_by(Run.position)).all()
    assert states == ["failed"] * 5 + ["queued"] * 7


@pytest.mark.parametrize("platform_settings", ["served"], indirect=True)
def test_a_claim_and_an_expansion_do_not_wait_for_each_other(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    assert expand_some(platform, at_most=5)
    # The first claim also notes when the campaign was begun, and has it for itself.
    assert len(_claim(platform, made)) == 1
    worker = _worker(platform)
    with closing(expander(platform)) as mine:
        chunk = mine.make(5)
        assert chunk is not None
        with platform.sessions.begin() as session:
            assert len(claim(session, worker, _versions(made), LEASE)) == 1
            assert mine.write(chunk)


def test_two_that_expand_at_once_write_every_run_once(platform: Platform) -> None:
    submit(platform.client("submit"))
    with closing(expander(platform)) as mine, closing(expander(platform)) as others:
        while others.expand_some(at_most=5):
            with platform.sessions() as session:
                if session.scalars(select(Campaign.state)).one() != "expanding":
                    break
            # Another process writes the same chunk between this one's making and writing it.
            late, first = mine.make(5), others.make(5)
            assert late is not None and first is not None
            assert others.write(first)
            assert not mine.write(late)
            assert mine.expand_some(at_most=1), "it goes on where the other one is"
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 12


def test_small_campaigns_do_not_wait_for_large_ones(platform: Platform) -> None:
    client = platform.client("submit")
    submit(client, {"name": "large", "replicates": 10_000})
    expand_some(platform, at_most=100)
    small = submit(client, {"name": "small"})
    expand_some(platform, at_most=100)
    assert client.get(f"/api/v1/campaigns/{small['id']}").json()["state"] == "active"


def test_what_has_a_result_is_over_at_once(platform: Platform) -> None:
    client = platform.client("submit")
    first = submit(client)
    expand_all(platform)
    with platform.sessions.begin() as session:
        keys = session.scalars(select(Run.key).order_by(Run.position)).all()
        for key in keys[:11]:
            session.add(stored_result(key, "succeeded"))
        session.add(stored_result(keys[11], "invalid"))
    second = client.post(f"/api/v1/campaigns/{first['id']}/clone", json={}).json()
    assert second["cloned_from"] == first["id"]
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{second['id']}").json()
    assert (shown["state"], shown["counts"]) == ("finished", {"succeeded": 11, "invalid": 1})
    assert shown["ended_at"] is not None
    with platform.sessions() as session:
        states = session.scalars(
            select(Event.data).where(Event.kind == "campaign.state").order_by(Event.id)
        ).all()
    assert [state["state"] for state in states][-2:] == ["active", "finished"]


def test_a_combination_found_unsound_later_refuses_the_campaign(platform: Platform) -> None:
    # Too many to be all looked at when submitted; in some, a client starts after the end.
    starts = [f"{start}s" for start in range(40)]
    factors = {"clients.0.start": starts, "duration": [f"{s}s" for s in range(59, 19, -1)]}
    client = platform.client("submit")
    made = submit(client, {"factors": factors, "replicates": 1})
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert shown["state"] == "refused"
    assert shown["problems"][0]["path"].startswith("factors.clients.0.start")
    assert shown["counts"].keys() <= {"cancelled"}
