"""A worker whose scratch disk is full: one run at a time, and who filled it pays for it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from weir_orchestrator.db import Run, Worker
from weir_orchestrator.objects import BUNDLE, run_prefix
from weir_testing.files import named
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.work import behaving, key_of, states, submit
from weir_testing.platform.workers import drain, number_of_leases, worker

# A worker's own disk is full, whichever database it asks.
pytestmark = pytest.mark.parametrize("platform_settings", SERVED, indirect=True)

DISK_BYTES = 24_000_000
TOO_LARGE = f"fills {2 * DISK_BYTES}"


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    # A machine that stands still for half a minute must not take the runs away.
    return platform_with(jobs=2, lease=timedelta(minutes=10), one_at_a_time=timedelta(seconds=6))


@pytest.fixture
def scratch(platform: Platform) -> Iterator[Path]:
    """The workers' folder on a small file system of its own."""
    folder = platform.settings.data / "work"
    folder.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small tmpfs needs root")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting a small tmpfs is not allowed here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def is_full(folder: Path) -> bool:
    return shutil.disk_usage(folder).free == 0


def attempts(platform: Platform, *keys: str) -> list[int]:
    with platform.sessions() as session:
        query = select(Run.attempts).where(Run.key.in_(keys)).order_by(Run.key)
        return list(session.scalars(query))


def problem(platform: Platform) -> str:
    with platform.sessions() as session:
        return session.scalars(select(Worker.problem)).first() or ""


def test_a_run_that_fills_the_disk_fails_and_costs_those_beside_it_nothing(
    platform: Platform, scratch: Path, tmp_path: Path
) -> None:
    flags = tmp_path / "flags"
    flags.mkdir()
    sessions, team = platform.sessions, platform.team_id
    steps = f"waits {flags}/both-run,{TOO_LARGE} {flags}/go-on"
    large = submit(sessions, team, [key_of(1)], behaving(steps))
    small = submit(sessions, team, [key_of(2)], behaving(f"waits {flags}/disk-is-full"))
    with worker(platform) as process:
        until(lambda: len(named(scratch, "log.txt")) == 2)
        (flags / "both-run").touch()
        until(lambda: is_full(scratch))
        (flags / "disk-is-full").touch()
        until(lambda: states(sessions, small) == ["queued"])
        assert states(sessions, large) == ["running"]
        assert attempts(platform, key_of(1), key_of(2)) == [1, 0]
        (flags / "go-on").touch()
        until(lambda: states(sessions, large) == ["failed"])
        until(lambda: states(sessions, small) == ["succeeded"])
        later = submit(sessions, team, [key_of(n) for n in range(10, 40)], behaving("slow"))
        until(lambda: states(sessions, later).count("running") >= 2)
        until(lambda: states(sessions, later) == ["succeeded"] * 30)
        drain(process)
    assert attempts(platform, key_of(1), key_of(2)) == [3, 1]
    assert number_of_leases(platform) == 0
    with sessions() as session:
        reason = session.scalars(select(Run.reason).where(Run.key == key_of(1))).one()
    assert str(scratch) in reason
    assert "24.0 MB of 24.0 MB" in reason
    assert "larger disk" in reason
    assert platform.objects.exists(f"{run_prefix(key_of(2))}/{BUNDLE}")
    assert list(scratch.iterdir()) == []


def test_runs_that_fit_one_at_a_time_all_succeed(platform: Platform, scratch: Path) -> None:
    half = behaving(f"fills {int(0.6 * DISK_BYTES)}")
    campaign = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(6)], half)
    with worker(platform) as process:
        until(lambda: states(platform.sessions, campaign) == ["succeeded"] * 6)
        drain(process)
    assert attempts(platform, *map(key_of, range(6))) == [1] * 6
    assert number_of_leases(platform) == 0


def test_runs_wait_while_others_fill_the_disk(platform: Platform, scratch: Path) -> None:
    foreign = scratch / "foreign"
    foreign.write_bytes(b"x" * (DISK_BYTES - 4_000_000))
    campaign = submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    with worker(platform) as process:
        until(lambda: problem(platform) != "")
        assert f"no space left in {scratch}" in problem(platform)
        assert "4.0 MB of 24.0 MB are free" in problem(platform)
        assert attempts(platform, key_of(1), key_of(2)) == [0, 0]
        foreign.unlink()
        until(lambda: states(platform.sessions, campaign) == ["succeeded"] * 2)
        until(lambda: problem(platform) == "")
        drain(process)
    assert attempts(platform, key_of(1), key_of(2)) == [1, 1]


def test_a_worker_that_waits_for_room_ends_at_once_when_told(
    platform: Platform, scratch: Path
) -> None:
    (scratch / "foreign").write_bytes(b"x" * DISK_BYTES)
    campaign = submit(platform.sessions, platform.team_id, [key_of(1)])
    with worker(platform) as process:
        until(lambda: problem(platform) != "")
        drain(process)
    assert states(platform.sessions, campaign) == ["queued"]
    assert attempts(platform, key_of(1)) == [0]
