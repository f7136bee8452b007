"""The local executor: whatever a run does, the others finish and the store is right."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import Literal

import pytest
from weir_engine import jsonfile
from weir_engine.executor.local import LocalExecutor
from weir_engine.executor.spawn import PROGRAM
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task
from weir_testing.patience import until
from weir_testing.platform.work import queued
from weir_testing.processes import children, command_line


def _ends(environment: Environment, tasks: list[Task], jobs: int = 2) -> dict[int, RunUpdate]:
    events = list(LocalExecutor(environment, jobs).execute(tasks))
    assert Counter(e.task.key for e in events if e.state == "running") == Counter(
        task.key for task in tasks
    )
    return {event.task.replicate: event for event in events if event.state != "running"}


def _fork_servers() -> list[int]:
    """Of this process."""
    return [pid for pid in children(os.getpid()) if PROGRAM in command_line(pid)]


def test_runs_succeed_and_carry_their_history(environment: Environment) -> None:
    ends = _ends(environment, [queued(1), queued(2), queued(3)])
    assert {end.state for end in ends.values()} == {"succeeded"}
    store = Store(environment.store)
    folder = store.run_path(queued(2).key)
    assert jsonfile.read(folder / "run.json")["outcome"] == "succeeded"
    assert jsonfile.read(folder / "metrics.json")["clients"][0]["client"] == 1
    history = jsonfile.read(folder / "host.json")["history"]
    assert [entry["state"] for entry in history] == ["pending", "queued", "running", "succeeded"]
    assert list(store.temporary.iterdir()) == []


def test_what_runs_need_is_imported_before_they_are_forked(
    environment: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    assert _ends(environment, [queued(1, "tells-imports")])[1].state == "succeeded"
    told = [line for line in capfd.readouterr().err.splitlines() if line.startswith("imports")]
    assert told == ["imports colorsys"]


def test_the_next_task_is_fetched_while_results_are_written(environment: Environment) -> None:
    said: list[str] = []
    fetched_after = []

    def tasks() -> Iterator[Task]:
        for number in range(3):
            yield queued(number)
            fetched_after.append([*said])

    for event in LocalExecutor(environment, 1).execute(tasks()):
        said.append(event.state)
    assert fetched_after == [["running", "succeeded"] * number + ["running"] for number in range(3)]


def test_a_run_on_the_real_clock_has_the_machine_to_itself(environment: Environment) -> None:
    clocks: list[Literal["virtual", "real"]] = ["virtual", "real", "real", "virtual", "virtual"]
    tasks = [queued(number, "slow", clock) for number, clock in enumerate(clocks)]
    running: set[int] = set()
    together, film_s = [], []
    for event in LocalExecutor(environment, 2).execute(tasks):
        number = event.task.replicate
        if event.film_s is not None:
            film_s.append((number, event.film_s))
        elif event.state == "running":
            running.add(number)
            together.append(set(running))
        else:
            assert event.state == "succeeded", event.reason
            running.discard(number)
    assert together == [{0}, {1}, {2}, {3}, {3, 4}]
    assert film_s == [(1, 0.0), (1, 10.0), (2, 0.0), (2, 10.0)]


@pytest.mark.parametrize(
    ("behave", "says"),
    [
        ("fails", "MyAbr.choose raised ValueError"),
        ("raises", "unexpected KeyError"),
        ("crashes", "killed by SIGSEGV"),
    ],
)
def test_a_bad_run_fails_alone_with_its_reason(
    environment: Environment, behave: str, says: str
) -> None:
    ends = _ends(environment, [queued(1), queued(2, behave), queued(3)])
    assert [ends[n].state for n in (1, 2, 3)] == ["succeeded", "failed", "succeeded"]
    state, reason = Store(environment.store).states([queued(2).key])[queued(2).key]
    assert state == "failed"
    assert says in reason
    failed = Store(environment.store).failed_path(queued(2).key)
    assert "stand-in console" in (failed / "log.txt").read_text()
    trace = failed / "traceback.txt"
    assert trace.exists() == (behave == "raises")
    if trace.exists():
        assert trace.read_text().splitlines()[-1] == "KeyError: 'surprise'"


def test_a_run_off_conditions_is_invalid(environment: Environment) -> None:
    end = _ends(environment, [queued(1, "off-conditions")])[1]
    assert end.state == "invalid"
    assert "idle_rtt_s: asked 0.1, measured 0.2" in end.reason


def test_a_hanging_run_is_ended_by_force(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = Environment(**{**vars(environment), "wall_limit_s": -19.0})
    end = _ends(short, [queued(1, "hangs")], jobs=1)[1]
    assert end.state == "failed"
    assert "--wall-limit" in end.reason


def test_a_killed_worker_costs_one_run(environment: Environment) -> None:
    executor = LocalExecutor(environment, 1)
    others = set(_fork_servers())
    states = []
    for event in executor.execute([queued(1, "hangs"), queued(2)]):
        states.append((event.task.replicate, event.state))
        if states[-1] == (1, "running"):
            # The kernel's list of children may leave some out while others come and go.
            until(lambda: set(_fork_servers()) - others, "the fork server")
            (server,) = set(_fork_servers()) - others
            os.kill(server, signal.SIGKILL)
    assert states[1] == (1, "failed")
    assert states[-1] == (2, "succeeded")
    store = Store(environment.store)
    assert store.states([queued(1).key])[queued(1).key][0] == "failed"
    store.sweep()
    assert list(store.temporary.iterdir()) == []


def test_stop_finishes_what_runs_and_starts_no_more(environment: Environment) -> None:
    executor = LocalExecutor(environment, 1)
    ended = []
    for event in executor.execute([queued(1, "slow"), queued(2)]):
        executor.stop()
        ended.append((event.task.replicate, event.state))
    assert ended == [(1, "running"), (1, "succeeded")]


def test_kill_cancels_what_runs(environment: Environment) -> None:
    executor = LocalExecutor(environment, 1)
    ended = []
    for event in executor.execute([queued(1, "hangs"), queued(2)]):
        executor.kill()
        ended.append((event.task.replicate, event.state))
    assert ended == [(1, "running"), (1, "cancelled")]
    assert list(Store(environment.store).temporary.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_stops_the_campaign_and_keeps_what_is_finished(
    environment: Environment,
) -> None:
    environment.store.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(environment.store)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no mount here")
    try:
        tasks = [queued(1), queued(2, "fills 17000000"), queued(3)]
        events = list(LocalExecutor(environment, 1).execute(tasks))
        assert [event.disk_full for event in events if event.state != "running"] == [False, True]
        states = Store(environment.store).states(task.key for task in tasks)
        assert [states[task.key][0] for task in tasks] == ["succeeded", "pending", "pending"]
        assert list(Store(environment.store).temporary.iterdir()) == []
    finally:
        subprocess.run(["umount", str(environment.store)], check=True)
