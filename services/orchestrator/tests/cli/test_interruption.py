"""Killed and interrupted campaigns: what was finished stays, the next start does the rest."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from weir_engine.store import Store
from weir_testing.patience import PATIENCE_S, until

PROGRAM = (sys.executable, "-m", "weir_testing.stand_in.command")
SLOW = {
    "duration": "20s",
    "content": {"ladder": ["1Mbit/s", "2Mbit/s"], "segment": "2s"},
    "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
    "server": {"sysctls": {"net.behave": "slow"}},
    "clients": [{"player": "fixed", "options": {"level": 1}}],
}
RUNS = 10


@pytest.fixture
def command(campaign_file: Callable[..., Path], store_path: Path) -> list[str]:
    file = campaign_file(experiment=SLOW, factors={}, replicates=RUNS)
    words = [*PROGRAM, "run", file, "--store", store_path, "--jobs", "2", "--json"]
    return [*map(str, words)]


def _finished(store: Path) -> int:
    return len(list((store / "runs").glob("*/*/run.json")))


def _start_and_wait_for(count: int, command: list[str], store: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: _finished(store) >= count or process.poll() is not None)
    return process


def test_kill_9_loses_only_what_was_under_way(command: list[str], store_path: Path) -> None:
    process = _start_and_wait_for(3, command, store_path)
    process.kill()
    process.wait()
    store = Store(store_path)
    until(lambda: not store.running(), "the end of what ran")
    kept = _finished(store_path)
    assert 3 <= kept < RUNS

    done = subprocess.run(command, capture_output=True, check=False)
    said = json.loads(done.stdout)
    assert done.returncode == 0
    assert said["counts"] == {"succeeded": RUNS}
    assert said["done_now"] == RUNS - kept
    assert list(store.temporary.iterdir()) == []


def test_one_interrupt_finishes_what_runs(command: list[str], store_path: Path) -> None:
    process = _start_and_wait_for(2, command, store_path)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 130
    assert 2 <= _finished(store_path) < RUNS
    assert list(Store(store_path).temporary.iterdir()) == []


def test_a_second_interrupt_ends_it_at_once(command: list[str], store_path: Path) -> None:
    process = _start_and_wait_for(1, command, store_path)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    # Either is 130 to a shell: the second signal may come while the interpreter ends.
    assert process.wait(PATIENCE_S) in {130, -signal.SIGINT}
    assert _finished(store_path) < RUNS
    assert list(Store(store_path).temporary.iterdir()) == []
