"""A worker whose scratch disk is full: what it cannot hold it gives back, and goes on later."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from platform_parts import Platform
from sqlalchemy import select
from weir_orchestrator.db import Lease, Run, Worker
from weir_orchestrator.work.finish import run_prefix
from work_parts import behaving, key_of, states, submit
from worker_parts import drain, wait_until, worker

TOO_LARGE = "fills 3000000"


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    # A machine that stands still for half a minute must not take the runs away.
    return platform_with(jobs=2, lease=timedelta(minutes=10))


@pytest.fixture
def scratch(platform: Platform) -> Iterator[Path]:
    """The workers' folder on a file system of 2 MB of its own."""
    folder = platform.settings.data / "work"
    folder.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small tmpfs needs root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting a small tmpfs is not allowed here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_runs_that_do_not_fit_wait_for_room_and_cost_no_attempt(
    platform: Platform, scratch: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    small = [key_of(n) for n in range(4)]
    large = [key_of(n) for n in range(10, 12)]
    fits = submit(platform.sessions, platform.team_id, small)
    with worker(platform, WEIR_TEST_DISK_FULL_WAIT_S="0.3") as process:
        wait_until(lambda: states(platform.sessions, fits) == ["succeeded"] * 4)
        does_not = submit(platform.sessions, platform.team_id, large, behaving(TOO_LARGE))
        for _ in range(2):
            wait_until(lambda: "no space left; waiting for some" in capfd.readouterr().err)
        assert process.poll() is None
        assert set(states(platform.sessions, does_not)) <= {"queued", "running"}
        with platform.sessions() as session:
            assert session.scalars(select(Worker.state)).all() == ["up"]
        subprocess.run(["mount", "-o", "remount,size=40m", str(scratch)], check=True)
        wait_until(lambda: states(platform.sessions, does_not) == ["succeeded"] * 2)
        drain(process)
    with platform.sessions() as session:
        assert set(session.scalars(select(Run.attempts))) == {1}
        assert session.scalars(select(Lease)).all() == []
    for key in (*small, *large):
        assert platform.objects.exists(f"{run_prefix(key)}/run.json")
    assert list(scratch.iterdir()) == []


def test_a_worker_that_waits_for_room_ends_at_once_when_told(
    platform: Platform, scratch: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    campaign = submit(platform.sessions, platform.team_id, [key_of(1)], behaving(TOO_LARGE))
    with worker(platform) as process:
        wait_until(lambda: "no space left" in capfd.readouterr().err)
        drain(process)
    assert states(platform.sessions, campaign) == ["queued"]
    with platform.sessions() as session:
        assert session.scalars(select(Lease)).all() == []
        assert session.scalars(select(Run.attempts)).all() == [0]
    assert list(scratch.iterdir()) == []
