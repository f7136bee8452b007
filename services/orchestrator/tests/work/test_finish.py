"""Ends of runs: results for all that share a key, once, and only by who holds the lease."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from weir_engine import jsonfile
from weir_orchestrator.db import Campaign, Event, Lease, Metric, Result, ResultValues, Run, Worker
from weir_orchestrator.lifecycle import steering
from weir_orchestrator.objects import failed_prefix, run_prefix
from weir_orchestrator.recorded import RunFiles, files_of_key
from weir_orchestrator.work import lease
from weir_orchestrator.work.claim import Claim, claim
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.run_files import Ended
from weir_testing.platform import Platform
from weir_testing.platform.work import (
    HISTORY,
    VERSIONS,
    key_of,
    states,
    submit,
    write_run_directory,
)

LEASE = timedelta(seconds=30)
KEY = key_of(1)


def finisher_of(platform: Platform) -> Finisher:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)
    return Finisher(platform.sessions, platform.objects, row.id, LEASE)


@pytest.fixture
def finisher(platform: Platform) -> Finisher:
    return finisher_of(platform)


def take(platform: Platform, finisher: Finisher) -> Claim:
    with platform.sessions.begin() as session:
        (found,) = claim(session, finisher.worker_id, VERSIONS, LEASE)
    return found


def ended(platform: Platform) -> list[tuple[int, str]]:
    with platform.sessions() as session:
        events = session.scalars(
            select(Event).where(Event.kind == "run.ended").order_by(Event.id)
        ).all()
        return [(event.data["run_id"], event.data["state"]) for event in events]


def leases(platform: Platform) -> list[str]:
    with platform.sessions() as session:
        return list(session.scalars(select(Lease.key)))


def numbers(session: Session, result_id: int) -> set[tuple[str, int, float]]:
    """(metric, rank, value) of a result."""
    names = dict(session.execute(select(Metric.id, Metric.name)).all())
    return {
        (names[position], row.rank, value)
        for row in session.scalars(select(ResultValues).where(ResultValues.result_id == result_id))
        for position, value in enumerate(row.numbers, 1)
        if value is not None
    }


def test_a_result_ends_every_run_of_its_key(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    mine = submit(platform.sessions, platform.team_id, [KEY, key_of(2), KEY])
    theirs = submit(platform.sessions, platform.other_team_id, [KEY])
    found = take(platform, finisher)
    write_run_directory(tmp_path / "run", found)
    assert finisher.succeed([Ended(found, tmp_path / "run", "succeeded", "", 0.7)])

    assert states(platform.sessions, mine) == ["succeeded", "queued", "succeeded"]
    assert states(platform.sessions, theirs) == ["succeeded"]
    assert leases(platform) == []
    files = RunFiles(platform.objects, run_prefix(KEY)).listed()
    assert files.keys() == {"run.json", "host.json", "metrics.json"}
    with platform.sessions() as session:
        result = session.scalars(select(Result)).one()
        assert result.team_id == found.team_id
        assert (result.film_s, result.wall_s, result.outcome) == (20.0, 0.7, "succeeded")
        assert result.size_bytes == platform.objects.total_bytes("runs")
        expected = {("jain", 0, 0.5), ("drops_burst", 0, 3.0), ("ins", 1, 0.75), ("ins", 2, 0.25)}
        assert numbers(session, result.id) == expected
        assert session.get_one(Campaign, theirs).state == "finished"
        assert session.get_one(Campaign, theirs).counts == {"succeeded": 1}
        assert session.get_one(Campaign, mine).state == "active"
        runs = session.scalars(select(Run).where(Run.key == KEY)).all()
        assert sorted(run.wall_s or 0 for run in runs) == [0, 0, 0.7]
        assert {run.result_id for run in runs} == {result.id}
        waiting = select(Run.result_id).where(Run.key != KEY)
        assert session.scalars(waiting).all() == [None]
    assert len(ended(platform)) == len(set(ended(platform))) == 3


def test_who_lost_the_lease_changes_nothing(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [KEY])
    slow = take(platform, finisher)
    with platform.sessions.begin() as session:
        lease.expire(session, finisher.worker_id)
    assert lease.reap(platform.sessions, max_attempts=3) == 1
    assert states(platform.sessions, campaign_id) == ["queued"]

    other = finisher_of(platform)
    again = take(platform, other)
    assert again.attempts == 2
    write_run_directory(tmp_path / "slow", slow)
    assert not finisher.succeed([Ended(slow, tmp_path / "slow", "succeeded", "", 9.0)])
    assert not finisher.fail(slow, tmp_path / "slow", "too late", 9.0)
    assert list(platform.objects.list("runs")) == []
    assert states(platform.sessions, campaign_id) == ["running"]

    write_run_directory(tmp_path / "again", again)
    assert other.succeed([Ended(again, tmp_path / "again", "succeeded", "", 0.5)])
    assert not finisher.succeed([Ended(slow, tmp_path / "slow", "succeeded", "", 9.0)])
    assert ended(platform) == [(again.run_id, "succeeded")]


def test_a_failure_ends_its_campaigns_runs_of_that_key_and_keeps_the_log(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    mine = submit(platform.sessions, platform.team_id, [KEY, KEY])
    theirs = submit(platform.sessions, platform.other_team_id, [KEY])
    found = take(platform, finisher)
    folder = tmp_path / "failed"
    folder.mkdir()
    jsonfile.write(folder / "run.json", {"reason": "no such level"})
    (folder / "log.txt").write_text("Traceback")
    assert finisher.fail(found, folder, "no such level", 0.2)
    assert states(platform.sessions, mine) == ["failed", "failed"]
    assert states(platform.sessions, theirs) == ["queued"]
    assert RunFiles(platform.objects, failed_prefix(KEY)).content("log.txt") == b"Traceback"
    with platform.sessions() as session:
        run = session.get_one(Run, found.run_id)
        assert (run.reason, run.wall_s) == ("no such level", 0.2)
        assert session.get_one(Campaign, mine).counts == {"failed": 2}

    again = take(platform, finisher)
    assert again.campaign_id == theirs
    write_run_directory(tmp_path / "run", again)
    assert finisher.succeed([Ended(again, tmp_path / "run", "succeeded", "", 0.5)])
    assert list(platform.objects.list("failed")) == []


def test_an_invalid_result_is_replaced_for_all_who_share_it(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    mine = submit(platform.sessions, platform.team_id, [KEY])
    theirs = submit(platform.sessions, platform.other_team_id, [KEY])
    found = take(platform, finisher)
    write_run_directory(tmp_path / "run", found)
    finisher.succeed(
        [Ended(found, tmp_path / "run", "invalid", "rtt_s: asked 0.1, measured 0.2", 0.5)]
    )
    assert states(platform.sessions, theirs) == ["invalid"]

    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, mine)
        assert steering.rerun(session, campaign, ["invalid"]) == 1
    with platform.sessions() as session:
        ended = select(Run.campaign_id).where(Run.result_id.is_not(None))
        assert session.scalars(ended).all() == [theirs]
    again = take(platform, finisher)
    write_run_directory(tmp_path / "again", again)
    metrics = {"format": 1, "run": {"jain": 0.9}, "clients": []}
    jsonfile.write(tmp_path / "again" / "metrics.json", metrics)
    assert finisher.succeed([Ended(again, tmp_path / "again", "succeeded", "", 0.6)])
    assert states(platform.sessions, mine) == states(platform.sessions, theirs) == ["succeeded"]
    with platform.sessions() as session:
        result = session.scalars(select(Result)).one()
        assert (result.outcome, result.reason, result.wall_s) == ("succeeded", "", 0.6)
        assert numbers(session, result.id) == {("jain", 0, 0.9)}
        assert session.scalars(select(Run.result_id)).all() == [result.id] * 2
        for campaign_id in (mine, theirs):
            assert session.get_one(Campaign, campaign_id).counts == {"succeeded": 1}


def test_a_run_that_was_cancelled_stays_so_but_its_result_counts(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    mine = submit(platform.sessions, platform.team_id, [KEY])
    found = take(platform, finisher)
    with platform.sessions.begin() as session:
        assert lease.unwanted(session, finisher.worker_id) == set()
        session.execute(update(Run).where(Run.campaign_id == mine).values(state="cancelled"))
        session.execute(update(Campaign).where(Campaign.id == mine).values(state="cancelled"))
    with platform.sessions() as session:
        assert lease.unwanted(session, finisher.worker_id) == {KEY}
    theirs = submit(platform.sessions, platform.other_team_id, [KEY])
    with platform.sessions() as session:
        assert lease.unwanted(session, finisher.worker_id) == set()
    write_run_directory(tmp_path / "run", found)
    assert finisher.succeed([Ended(found, tmp_path / "run", "succeeded", "", 0.5)])
    assert states(platform.sessions, mine) == ["cancelled"]
    assert states(platform.sessions, theirs) == ["succeeded"]


def test_a_run_given_back_is_queued_as_if_nothing_had_been(
    platform: Platform, finisher: Finisher
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [KEY])
    for tried, attempts in ((False, 0), (True, 1)):
        found = take(platform, finisher)
        with platform.sessions.begin() as session:
            lease.give_back(session, finisher.worker_id, found.run_id, found.key, tried=tried)
        assert states(platform.sessions, campaign_id) == ["queued"]
        assert leases(platform) == []
        with platform.sessions() as session:
            assert session.get_one(Run, found.run_id).attempts == attempts


def test_a_run_that_kills_its_workers_fails_with_a_reason(
    platform: Platform, finisher: Finisher
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [KEY])
    for _ in range(3):
        assert states(platform.sessions, campaign_id) == ["queued"]
        found = take(platform, finisher)
        with platform.sessions.begin() as session:
            lease.expire(session, finisher.worker_id)
        assert lease.reap(platform.sessions, max_attempts=3) == 1
    with platform.sessions() as session:
        run = session.get_one(Run, found.run_id)
        assert run.state == "failed"
        assert run.reason.startswith("3 workers ended over this run (the last: here, process 1)")
        assert session.get_one(Campaign, campaign_id).state == "finished"
    assert leases(platform) == []


def test_heartbeats_keep_leases(platform: Platform, finisher: Finisher) -> None:
    submit(platform.sessions, platform.team_id, [KEY])
    found = take(platform, finisher)
    with platform.sessions.begin() as session:
        assert lease.keep(session, finisher.worker_id, LEASE, [KEY, key_of(2)]) == {KEY}
        assert lease.keep(session, uuid.uuid4(), LEASE, [KEY]) == set()
    assert lease.reap(platform.sessions, max_attempts=3) == 0
    with platform.sessions.begin() as session:
        # Of a lease that the worker does not know, nothing is kept alive.
        assert lease.keep(session, finisher.worker_id, -LEASE, []) == set()
    assert lease.reap(platform.sessions, max_attempts=3) == 0
    with platform.sessions.begin() as session:
        lease.keep(session, finisher.worker_id, -LEASE, [KEY])
    assert lease.reap(platform.sessions, max_attempts=3) == 1
    with platform.sessions.begin() as session:
        assert not lease.renew(session, finisher.worker_id, [found.key], LEASE)


def take_some(platform: Platform, finisher: Finisher, folder: Path, at_most: int) -> list[Ended]:
    """Runs that were claimed together and have ended together, each with its own wall time."""
    with platform.sessions.begin() as session:
        claims = claim(session, finisher.worker_id, VERSIONS, LEASE, at_most)
    for each in claims:
        write_run_directory(folder / each.key, each)
    return [Ended(each, folder / each.key, "succeeded", "", 0.1 + each.position) for each in claims]


def test_runs_that_end_together_have_each_its_own_result(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    keys = [key_of(3), key_of(1), key_of(2), key_of(1)]
    mine = submit(platform.sessions, platform.team_id, keys)
    theirs = submit(platform.sessions, platform.other_team_id, [key_of(2)], state="paused")
    ended_here = take_some(platform, finisher, tmp_path, 8)
    assert len(ended_here) == 3
    odd = Ended(ended_here[1].claim, ended_here[1].folder, "invalid", "rtt_s: too long", 7.0)
    assert finisher.succeed([ended_here[0], odd, ended_here[2]]) == set(keys)

    assert states(platform.sessions, mine) == ["succeeded", "invalid", "succeeded", "invalid"]
    assert states(platform.sessions, theirs) == ["succeeded"]
    assert leases(platform) == []
    with platform.sessions() as session:
        results = {result.key: result for result in session.scalars(select(Result))}
        assert {key: (one.outcome, one.reason, one.wall_s) for key, one in results.items()} == {
            key_of(3): ("succeeded", "", 0.1),
            key_of(1): ("invalid", "rtt_s: too long", 7.0),
            key_of(2): ("succeeded", "", 2.1),
        }
        for result in results.values():
            files = files_of_key(session, platform.objects, result.key)
            assert files.document("run.json") == {"key": result.key}
            assert result.metrics["clients"][0]["ins"] == 0.25
            assert result.history == HISTORY
            assert ("ins", 2, 0.25) in numbers(session, result.id)
            assert len(numbers(session, result.id)) == 4
        runs = session.scalars(select(Run).where(Run.campaign_id == mine).order_by(Run.position))
        assert [(run.result_id, run.wall_s, run.reason) for run in runs] == [
            (results[key_of(3)].id, 0.1, ""),
            (results[key_of(1)].id, 7.0, "rtt_s: too long"),
            (results[key_of(2)].id, 2.1, ""),
            (results[key_of(1)].id, None, "rtt_s: too long"),
        ]
        counts = session.get_one(Campaign, mine).counts
        assert counts == {"succeeded": 2, "invalid": 2}
        assert session.get_one(Campaign, theirs).state == "finished"
    assert len(ended(platform)) == len(set(ended(platform))) == 5


def test_of_runs_that_end_together_those_whose_lease_was_lost_are_left_out(
    platform: Platform, finisher: Finisher, tmp_path: Path
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(3)])
    together = take_some(platform, finisher, tmp_path, 3)
    lost = together[1].claim
    with platform.sessions.begin() as session:
        lease.give_back(session, finisher.worker_id, lost.run_id, lost.key)
    assert finisher.succeed(together) == {key_of(0), key_of(2)}
    assert states(platform.sessions, campaign_id) == ["succeeded", "queued", "succeeded"]
    with platform.sessions() as session:
        assert set(session.scalars(select(Result.key))) == {key_of(0), key_of(2)}


def test_a_lease_that_is_lost_while_others_are_written_takes_none_along(
    platform: Platform, finisher: Finisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the leases and the transaction the housekeeper takes one."""
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(3)])
    together = take_some(platform, finisher, tmp_path, 3)
    lost = together[0].claim
    store = finisher.objects.put_bytes

    def put_bytes(key: str, content: bytes) -> None:
        store(key, content)
        if len(leases(platform)) == 3:
            with platform.sessions.begin() as session:
                lease.give_back(session, finisher.worker_id, lost.run_id, lost.key)

    monkeypatch.setattr(finisher.objects, "put_bytes", put_bytes)
    assert finisher.succeed(together) == {key_of(1), key_of(2)}
    assert states(platform.sessions, campaign_id) == ["queued", "succeeded", "succeeded"]
    with platform.sessions() as session:
        assert set(session.scalars(select(Result.key))) == {key_of(1), key_of(2)}
        assert set(session.scalars(select(ResultValues.result_id))) == set(
            session.scalars(select(Result.id))
        )
