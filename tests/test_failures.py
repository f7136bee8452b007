"""What goes wrong, goes wrong alone: kills, full disks, hanging kernels, users' mistakes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from weir import rundir
from weir.errors import RunFailure
from weir_lab import boot
from weir_lab.kernel import Kernel
from weir_testing.cells import ABR, Runner, client, experiment, own_abr
from weir_testing.command import (
    at_work,
    campaign,
    counts,
    finished,
    leftovers,
    processes_in,
    start,
    state_of,
    weir,
)
from weir_testing.patience import PATIENCE_S, until
from weir_testing.processes import below

pytestmark = pytest.mark.kernel

FOUR_RUNS = {"server.congestion_control": ["cubic", "reno"]}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


MOMENTS: dict[str, Callable[[Path], object]] = {
    "as the record is written": lambda store: (store / "campaigns").exists(),
    "as a run starts": lambda store: at_work(store, "cell"),
    "as the kernel runs": lambda store: at_work(store, "cell/record.bin"),
    "as results are written": lambda store: at_work(store, "run/players"),
    "as a run is finished": finished,
    "as the third run is finished": lambda store: len(finished(store)) >= 3,
}

TELLING = ("as the kernel runs", "as results are written", "as the third run is finished")


def was_killed_at(moment: str, file: Path, store: Path) -> bool:
    """Run a campaign and kill it at that moment; false where it ended before that was seen."""
    running = start("run", file, "--store", store, "--jobs", "2")
    until(lambda: MOMENTS[moment](store) or running.poll() is not None, moment, every_s=0.002)
    seen = running.poll() is None
    running.kill()
    running.communicate()
    return seen


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    "moment",
    [
        moment if moment in TELLING else pytest.param(moment, marks=pytest.mark.long)
        for moment in MOMENTS
    ],
)
def test_kill_9_loses_only_what_was_running(tmp_path: Path, store: Path, moment: str) -> None:
    file = campaign(tmp_path, FOUR_RUNS)
    # A moment of some milliseconds may pass between two looks.
    for _ in range(4):
        if was_killed_at(moment, file, store):
            break
        shutil.rmtree(store)
    else:
        pytest.fail("it always ended before it could be killed")
    kept = finished(store)
    until(lambda: not processes_in(store), "the end of every lab kernel")
    before = {path: (path / "host.json").read_bytes() for path in kept}

    again = weir("run", file, "--store", store, "--json")
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    assert told["counts"] == {"succeeded": 4}
    # The workers may have finished a run between the look and the kill's arrival.
    assert told["done_now"] <= 4 - len(kept)
    assert len(finished(store)) == 4
    assert leftovers(store) == []
    assert all((path / "host.json").read_bytes() == was for path, was in before.items())


@pytest.mark.usefixtures("kernel")
def test_ctrl_c_finishes_what_runs_and_starts_no_more(tmp_path: Path, store: Path) -> None:
    file = campaign(tmp_path, FOUR_RUNS)
    running = start("run", file, "--store", store, "--jobs", "1")
    until(lambda: at_work(store, "cell/record.bin"), "a running kernel", every_s=0.002)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130, said
    assert 1 <= len(finished(store)) < 4
    assert leftovers(store) == []
    assert processes_in(store) == []
    assert weir("run", file, "--store", store).returncode == 0
    assert counts(file, store) == {"succeeded": 4}


@pytest.mark.usefixtures("kernel")
def test_ctrl_c_twice_ends_it_at_once(tmp_path: Path, store: Path) -> None:
    loops = tmp_path / "loops.py"
    loops.write_text(ABR.format(body="return sum(iter(int, 1))"))
    file = campaign(tmp_path, clients=[{"player": "./loops.py"}])
    running = start("run", file, "--store", store, "--jobs", "1")
    until(lambda: at_work(store, "cell/record.bin"), "a running kernel", every_s=0.002)
    running.send_signal(signal.SIGINT)
    assert running.stderr is not None
    for line in running.stderr:
        if "stopping" in line:
            break
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    until(lambda: not processes_in(store), "the end of every lab kernel")
    assert leftovers(store) == []
    assert counts(file, store) == {"pending": 2}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte; `mount -o remount` can give it more."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small tmpfs needs root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(disk)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting a small tmpfs is not allowed here: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


@pytest.mark.usefixtures("kernel")
def test_a_full_disk_keeps_what_is_finished(tmp_path: Path, small_disk: Path) -> None:
    file = campaign(tmp_path, {"gateway.path.rtt.mean": [f"{k}0ms" for k in range(1, 9)]})
    store = small_disk / "store"
    full = weir("run", file, "--store", store, "--jobs", "1", "--set", "duration=30s")
    assert full.returncode == 3, full.stdout + full.stderr
    assert "no space left" in full.stderr
    assert str(store) in full.stderr
    kept = len(finished(store))
    assert 0 < kept < 16
    assert not list(store.glob("failed/*"))
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    again = weir("run", file, "--store", store, "--json", "--set", "duration=30s")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["done_now"] == 16 - kept
    assert counts(file, store) == {"succeeded": 16}
    assert leftovers(store) == []


@pytest.mark.usefixtures("kernel")
def test_a_hanging_kernel_is_ended_by_the_wall_clock(tmp_path: Path, store: Path) -> None:
    # No timer fires in virtual time while C code computes: the whole kernel stands still.
    (tmp_path / "loops.py").write_text(ABR.format(body="return sum(iter(int, 1))"))
    file = campaign(tmp_path, {"clients": [[{"player": "./loops.py"}]]})
    one_at_a_time = ("--replicates", "2", "--jobs", "1", "--wall-limit", "3")
    done = weir("run", file, "--store", store, *one_at_a_time, "--json")
    assert done.returncode == 1
    # The one that hangs keeps the next from nothing.
    assert json.loads(done.stdout)["counts"] == {"failed": 2}
    for failed in store.glob("failed/*/run.json"):
        reason = json.loads(failed.read_text())["reason"]
        assert "wall-clock limit of 3 s" in reason
        assert "--wall-limit" in reason
    assert processes_in(store) == []
    assert leftovers(store) == []


def test_a_panicking_kernel_fails_its_run_at_once(kernel: Kernel, tmp_path: Path) -> None:
    """Its first process ends, for want of a plan."""
    cell = boot.Boot(seed=1, clients=1, record_tcp=False, record_queue=False)
    with pytest.raises(RunFailure, match=r"it said: .*panic.*Attempted to kill init"):
        boot.run(kernel, cell, tmp_path, PATIENCE_S)


def was_killed(pid: int) -> bool:
    """Kill a process; whether it had not ended. It is stopped first, to see that: on a busy
    machine it may end before it is killed. Raises ProcessLookupError, FileNotFoundError."""
    os.kill(pid, signal.SIGSTOP)
    until(lambda: state_of(pid) in "TZ", "its being stopped", every_s=0.002)
    stopped = state_of(pid) == "T"
    os.kill(pid, signal.SIGKILL)
    return stopped


def kill_kernel(command: int, store: Path) -> bool:
    """Kill a lab kernel of a run, which leads its process group; whether one had not ended."""
    # Not all of the machine's: looking at those takes longer than a run, where they are many.
    for pid in below(command):
        with suppress(OSError):
            here = Path(f"/proc/{pid}/cwd").readlink().is_relative_to(store.resolve())
            if here and os.getpgid(pid) == pid:
                return was_killed(pid)
    return False


@pytest.mark.usefixtures("kernel")
def test_a_killed_kernel_fails_its_run_alone(tmp_path: Path, store: Path) -> None:
    file = campaign(tmp_path, FOUR_RUNS, duration="120s")
    running = start("run", file, "--store", store, "--jobs", "1", "--json")
    until(lambda: kill_kernel(running.pid, store), "a running kernel", every_s=0.002)
    said, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 1
    assert json.loads(said)["counts"] == {"succeeded": 3, "failed": 1}
    (failed,) = store.glob("failed/*/run.json")
    assert "lab kernel ended before" in json.loads(failed.read_text())["reason"]
    assert weir("run", file, "--store", store).returncode == 0
    assert counts(file, store) == {"succeeded": 4}
    assert not list(store.glob("failed/*"))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('no such level')", r"own\.py: choose for segment 0 of client 1 raised "
         r"ValueError: no such level \(line 6\)"),
        ("return 'high'", r"choose for segment 0 returned 'high'.*whole number from 0 to 4"),
        ("return 5", r"choose for segment 0 returned 5.*whole number from 0 to 4"),
        ("return None", r"choose for segment 0 returned None"),
        ("while True: state.segment", r"ran more than 2,000,000 lines \(does it loop\?\)"),
        ("import numpy", r"raised ModuleNotFoundError"),
        ("import sys; sys.exit(0)", r"raised SystemExit"),
    ],
)  # fmt: skip
def test_a_users_mistake_fails_its_run_with_its_own_message(
    run: Runner, body: str, says: str
) -> None:
    with pytest.raises(RunFailure, match=says):
        run(experiment({"duration_s": 10.0}, own_abr(ABR.format(body=body)), client()))


def test_a_users_own_abr_plays(run: Runner) -> None:
    result = run(experiment({"duration_s": 10.0}, own_abr(ABR.format(body="return 2"))))
    (played,) = result.data.players
    assert set(played["level"]) == {2}


@pytest.mark.usefixtures("kernel")
def test_a_users_mistake_is_told_by_the_command(tmp_path: Path, store: Path) -> None:
    (tmp_path / "mine.py").write_text(ABR.format(body="return 'high'"))
    file = campaign(tmp_path, {"clients.0.player": ["./mine.py", "aggressive-rate"]})
    done = weir("run", file, "--store", store, "--replicates", "1")
    assert done.returncode == 1
    assert "returned 'high'" in done.stderr
    assert counts(file, store) == {"failed": 1, "succeeded": 1}


@pytest.mark.usefixtures("kernel")
def test_a_failed_run_keeps_what_it_recorded_and_says_where(tmp_path: Path, store: Path) -> None:
    (tmp_path / "mine.py").write_text(
        ABR.format(body="if state.segment == 3:\n            [].pop()\n        return 1")
    )
    file = campaign(tmp_path, clients=[{"player": "./mine.py"}, {"player": "aggressive-rate"}])
    assert weir("run", file, "--store", store, "--replicates", "1").returncode == 1
    (failed,) = store.glob("failed/*")
    reason = json.loads((failed / "run.json").read_text())["reason"]
    assert "mine.py: choose for segment 3 of client 1 raised IndexError" in reason
    assert "Traceback" not in reason
    trace = (failed / "traceback.txt").read_text().splitlines()
    assert trace[1:] == [
        '  File "mine.py", line 7, in choose',
        "    [].pop()",
        "IndexError: pop from empty list",
    ]
    mine, other = (rundir.load_player(failed, client) for client in (1, 2))
    assert list(mine["segment"]) == [0, 1, 2]
    assert set(mine["level"]) == {1}
    assert other["last_byte_s"].max() > 9, "the other one played its ten seconds to the end"
    tcp = pq.read_table(failed / "tcp.parquet").to_pydict()
    assert {0, 1} <= set(tcp["flow"])
    assert (failed / "queue.parquet").exists()
    assert not (failed / "metrics.json").exists()
