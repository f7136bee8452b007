"""Workers as processes: what they do with runs that end in every way, and with their own end."""

from __future__ import annotations

import os
import signal
import subprocess
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select
from weir_orchestrator.db import Campaign, Event, Lease, Result, Run, Worker
from weir_orchestrator.objects import failed_prefix
from weir_orchestrator.recorded import RunFiles, files_of_key
from weir_orchestrator.work import lease
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.work import behaving, key_of, states, submit
from weir_testing.platform.workers import (
    PROGRAM,
    drain,
    number_of_leases,
    variables,
    worker,
)
from weir_testing.processes import children, command_line


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(jobs=2)


def campaign_state(platform: Platform, campaign_id: uuid.UUID) -> str:
    with platform.sessions() as session:
        return session.get_one(Campaign, campaign_id).state


def is_finished(platform: Platform, campaign_id: uuid.UUID) -> bool:
    return campaign_state(platform, campaign_id) == "finished"


def counts(platform: Platform, campaign_id: uuid.UUID) -> Counter[str]:
    return Counter(states(platform.sessions, campaign_id))


def test_every_run_ends_in_its_own_way(platform: Platform) -> None:
    expected = {
        "well": "succeeded",
        "off-conditions": "invalid",
        "fails": "failed",
        "raises": "failed",
        "crashes": "failed",
    }
    campaigns = {
        behave: submit(
            platform.sessions,
            platform.team_id,
            [key_of(10 * n), key_of(10 * n + 1)],
            behaving(behave),
        )
        for n, behave in enumerate(expected)
    }
    with worker(platform) as process:
        for campaign_id in campaigns.values():
            until(partial(is_finished, platform, campaign_id))
        drain(process)
    for behave, campaign_id in campaigns.items():
        assert set(states(platform.sessions, campaign_id)) == {expected[behave]}, behave
    assert number_of_leases(platform) == 0
    with platform.sessions() as session:
        results = session.scalars(select(Result)).all()
        assert Counter(result.outcome for result in results) == {"succeeded": 2, "invalid": 2}
        for result in results:
            told = [step["state"] for step in result.history]
            assert told == ["pending", "queued", "running", result.outcome]
            files = files_of_key(session, platform.objects, result.key)
            assert "players/client-1.parquet" in files.listed()
        failed = session.scalars(select(Run).where(Run.state == "failed")).all()
        for run in failed:
            assert run.attempts == 1
            log = RunFiles(platform.objects, failed_prefix(run.key)).content("log.txt")
            assert log is not None
            assert b"stand-in console" in log
        assert any("MyAbr.choose raised ValueError" in run.reason for run in failed)
        assert session.scalars(select(Worker.state)).all() == ["gone"]
    assert list((platform.settings.data / "work").iterdir()) == []


def test_a_drained_worker_finishes_what_runs_and_takes_no_more(platform: Platform) -> None:
    keys = [key_of(n) for n in range(30)]
    campaign_id = submit(platform.sessions, platform.team_id, keys, behaving("slow"))
    with worker(platform) as process:
        until(lambda: counts(platform, campaign_id)["succeeded"] >= 3)
        drain(process)
    found = counts(platform, campaign_id)
    assert found["running"] == 0
    assert found["succeeded"] + found["queued"] == 30
    assert found["queued"] > 0
    assert number_of_leases(platform) == 0
    with platform.sessions() as session:
        queued = session.scalars(select(Run.attempts).where(Run.state == "queued"))
        assert set(queued) == {0}


def test_a_second_signal_gives_back_what_runs(platform: Platform) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)], behaving("hangs"))
    with worker(platform) as process:
        until(lambda: counts(platform, campaign_id)["running"] == 1)
        process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        drain(process)
    assert states(platform.sessions, campaign_id) == ["queued"]
    assert number_of_leases(platform) == 0


def test_the_runs_of_a_killed_worker_are_done_by_the_next(platform: Platform) -> None:
    keys = [key_of(n) for n in range(12)]
    campaign_id = submit(platform.sessions, platform.team_id, keys, behaving("slow"))
    first = str(uuid.uuid4())
    with worker(platform, first) as process:
        until(lambda: counts(platform, campaign_id)["succeeded"] >= 3)
        process.kill()
        process.wait()
    assert number_of_leases(platform) > 0
    with worker(platform, str(uuid.uuid4()), first) as process:

        def over() -> bool:
            lease.reap(platform.sessions, max_attempts=3)
            return campaign_state(platform, campaign_id) == "finished"

        until(over)
        drain(process)
    assert counts(platform, campaign_id) == {"succeeded": 12}
    assert number_of_leases(platform) == 0
    with platform.sessions() as session:
        ended = session.scalars(select(Event.data).where(Event.kind == "run.ended"))
        assert Counter(data["position"] for data in ended) == Counter(range(12))


def test_a_run_whose_process_was_killed_is_tried_again(platform: Platform) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)], behaving("hangs"))
    with worker(platform) as process:
        for attempt in (1, 2, 3):
            until(partial(is_tried, platform, campaign_id, attempt))
            until(lambda: len(carrying_out(process.pid)) > 0)
            os.kill(carrying_out(process.pid)[0], signal.SIGKILL)
        until(lambda: campaign_state(platform, campaign_id) == "finished")
        drain(process)
    with platform.sessions() as session:
        run = session.scalars(select(Run)).one()
        assert (run.state, run.attempts) == ("failed", 3)
        assert "killed by SIGKILL" in run.reason


def is_tried(platform: Platform, campaign_id: uuid.UUID, attempt: int) -> bool:
    with platform.sessions() as session:
        run = session.scalars(select(Run).where(Run.campaign_id == campaign_id)).one()
        return (run.state, run.attempts) == ("running", attempt)


def carrying_out(worker: int) -> list[int]:
    """Processes that carry out a run: children of the pool's fork servers."""
    pool = [child for child in children(worker) if "fork_server" in command_line(child)]
    # A fork server starts other programs, too, which end at once; a run's process leads a group.
    return [child for each in pool for child in children(each) if leads_group(child)]


def leads_group(pid: int) -> bool:
    with suppress(ProcessLookupError):
        return os.getpgid(pid) == pid
    return False


def test_a_cancelled_run_is_ended_and_the_worker_goes_on(platform: Platform) -> None:
    hanging = [key_of(1), key_of(2), key_of(4)]
    campaign_id = submit(platform.sessions, platform.team_id, hanging, behaving("hangs"))
    after = submit(platform.sessions, platform.team_id, [key_of(3)])
    with worker(platform) as process:
        until(lambda: counts(platform, campaign_id)["running"] == 2)
        answer = platform.client("submit").post(f"/api/v1/campaigns/{campaign_id}/cancel")
        assert answer.json()["counts"] == {"cancelled": 3}
        until(lambda: campaign_state(platform, after) == "finished")
        until(lambda: number_of_leases(platform) == 0)
        drain(process)
    assert counts(platform, campaign_id) == {"cancelled": 3}
    with platform.sessions() as session:
        ended = session.get_one(Campaign, campaign_id)
        assert (ended.state, ended.counts) == ("cancelled", {"cancelled": 3})
        assert session.scalars(select(Result.key)).all() == [key_of(3)]


def test_a_worker_needs_a_schema(platform: Platform, tmp_path: Path) -> None:
    elsewhere = variables(platform, WEIR_DATABASE=f"sqlite:///{tmp_path}/no.db")
    done = subprocess.run(PROGRAM, env=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "`weir db upgrade` brings it there" in done.stderr


def test_leases_last_longer_than_heartbeats_are_apart(platform: Platform) -> None:
    """A run that takes much longer than its lease keeps it."""
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)], behaving("hangs"))
    short = variables(platform, WEIR_LEASE="PT2S")
    process = subprocess.Popen(PROGRAM, env=short)
    try:
        until(lambda: counts(platform, campaign_id)["running"] == 1)
        with platform.sessions() as session:
            first = session.scalars(select(Lease.until)).one()

        def moved_on() -> bool:
            assert lease.reap(platform.sessions, max_attempts=3) == 0
            with platform.sessions() as session:
                return session.scalars(select(Lease.until)).one() > first + timedelta(seconds=4)

        until(moved_on)
    finally:
        process.kill()
        process.wait()
