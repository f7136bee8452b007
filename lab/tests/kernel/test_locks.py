"""Builds wait for each other where they must, with a bound, and are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from weir_lab.kernel import locks

_HOLD = """
import sys
from pathlib import Path
from weir_lab.kernel import locks
with locks.alone(Path(sys.argv[1]), 0):
    print("held", flush=True)
    sys.stdin.read()
"""


class _Holder:
    """A process that has a lock until it is told, or killed."""

    def __init__(self, lock: Path) -> None:
        words = [sys.executable, "-c", _HOLD, str(lock)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"held\n"

    def let_go(self) -> None:
        self.process.communicate(b"")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_who_waits_is_told_for_how_long_and_goes_on_then(tmp_path: Path) -> None:
    lock = tmp_path / "locks" / "a"
    holder = _Holder(lock)
    told: list[float] = []

    def waiting(waited_s: float) -> None:
        told.append(waited_s)
        if len(told) == 3:
            holder.let_go()

    with locks.alone(lock, 600, waiting):
        assert told[:3] == sorted(told[:3])
        assert lock.exists()
    assert not lock.exists(), "a lock that nobody has leaves nothing"


def test_a_wait_has_an_end_that_says_what_to_do(tmp_path: Path) -> None:
    lock = tmp_path / "a"
    holder = _Holder(lock)
    try:
        with pytest.raises(locks.Busy, match=r"another process .* try again"):
            locks.alone(lock, 0.3).__enter__()
        with locks.alone(tmp_path / "b", 0):
            pass  # nobody waits for the lock of something else
    finally:
        holder.let_go()


def test_whoever_is_killed_lets_go(tmp_path: Path) -> None:
    lock = tmp_path / "a"
    _Holder(lock).kill()
    assert lock.exists()
    with locks.alone(lock, 0):
        pass
    assert not lock.exists()


def test_a_tree_that_is_read_is_in_use(tmp_path: Path) -> None:
    with locks.reading(tmp_path), locks.reading(tmp_path), locks.unused(tmp_path) as free:
        assert not free
    with locks.unused(tmp_path) as free:
        assert free
