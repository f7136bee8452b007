"""Zygotes of a fork server: used again, replaced, put away; and what they leave."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from weir.resolved import Experiment
from weir_engine.executor.local import LocalExecutor
from weir_engine.executor.spawn import PROGRAM
from weir_engine.executor.zygotes import chosen, lent_by, of_store
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task
from weir_lab import memory, zygotes
from weir_lab.zygotes import Warm, Zygotes
from weir_testing.cells import ABR, client, experiment, kernel, own_abr
from weir_testing.command import processes_in, state_of
from weir_testing.files import contents, named
from weir_testing.forks import helper_of
from weir_testing.held_fork import kill_once_forked
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform.work import key_of
from weir_testing.processes import children, command_line

pytestmark = pytest.mark.kernel


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    return Environment(tmp_path / "store", kernel(), {"hash": "r" * 32}, PATIENCE_S)


def task(number: int, seed: int = 1, asked: Experiment | None = None) -> Task:
    history = move(move([], "pending"), "queued")
    asked = asked or experiment({"duration_s": 4.0}, client())
    return Task(key_of(number), "small", {}, number, seed, asked, history=history)


def ended(environment: Environment, *tasks: Task) -> list[RunUpdate]:
    events = LocalExecutor(environment, 1).execute(tasks)
    return [event for event in events if event.state != "running"]


def fork_servers() -> list[int]:
    return [pid for pid in children(os.getpid()) if PROGRAM in command_line(pid)]


def waiting() -> list[int]:
    """Lab kernels that fork runs, of fork servers of this process."""
    return [
        pid
        for server in fork_servers()
        for pid in children(server)
        if "zygote=" in command_line(pid)
    ]


def folder_of(environment: Environment, done: Task) -> dict[str, bytes]:
    found = contents(Store(environment.store).run_path(done.key))
    return {
        name: content for name, content in found.items() if name not in ("host.json", "run.json")
    }


def test_runs_of_a_shape_have_one_zygote_and_a_seed_one_result(environment: Environment) -> None:
    tasks = [task(1), task(2, seed=2), task(3), task(4)]
    seen: list[list[int]] = []
    for event in LocalExecutor(environment, 1).execute(iter(tasks)):
        if event.state != "running":
            assert event.state == "succeeded", event.reason
            seen.append(waiting())
    assert len(seen[0]) == 1 and seen == [seen[0]] * 4
    first, other, third, fourth = (folder_of(environment, each) for each in tasks)
    assert first == third == fourth != other
    until(lambda: not Path(f"/proc/{seen[0][0]}").exists(), "the end of the zygote")
    assert list(Store(environment.store).temporary.iterdir()) == []


def test_a_zygote_that_was_killed_is_told_and_replaced(
    environment: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    tasks, seen = [task(1), task(2)], []
    for event in LocalExecutor(environment, 1).execute(iter(tasks)):
        if event.state == "succeeded":
            (pid,) = waiting()
            seen.append(pid)
            os.kill(pid, signal.SIGKILL)
            until(lambda: "Z" in state_of(seen[-1]), "its end")
    assert len(set(seen)) == 2
    assert folder_of(environment, tasks[0]) == folder_of(environment, tasks[1])
    assert "a fresh one is booted" in capfd.readouterr().err


def test_a_run_of_a_zygote_that_dies_before_it_tells_of_the_fork_begins_anew(
    environment: Environment, capfd: pytest.CaptureFixture[str]
) -> None:
    """The fork goes on meanwhile, and leaves what would fail the run that finds it."""
    tasks = [task(1), task(2)]

    def begun() -> bool:
        for log in named(Store(environment.store).temporary, "log.txt"):
            if log.parent.name == "cell" and "EPOCH" in log.read_text():
                log.with_name("client-1.error").write_text("left by a fork that nobody knows")
                return True
        return False

    killed: list[Future[None]] = []
    for event in LocalExecutor(environment, 1).execute(iter(tasks)):
        if event.state != "running":
            assert event.state == "succeeded", event.reason
        if event.state == "succeeded" and not killed:
            (zygote,) = waiting()
            killed.append(kill_once_forked(helper_of(zygote), begun))
    killed[0].result(PATIENCE_S)
    assert folder_of(environment, tasks[0]) == folder_of(environment, tasks[1])
    assert "that forks runs has ended; the run boots a fresh one" in capfd.readouterr().err
    assert not processes_in(environment.store)
    assert list(Store(environment.store).temporary.iterdir()) == []


def test_a_run_whose_zygote_has_no_memory_for_it_boots_its_own(
    environment: Environment,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The folder that the fork's memory is made in is not there."""
    memory_in = tmp_path / "memory"
    memory_in.mkdir()
    monkeypatch.setenv(memory.FOLDER, str(memory_in))
    tasks, of_zygote = [task(1), task(2)], list[Path]()
    for event in LocalExecutor(environment, 1).execute(iter(tasks)):
        if event.state != "running":
            assert event.state == "succeeded", event.reason
        if event.state == "succeeded" and not of_zygote:
            of_zygote.extend(memory_in.iterdir())
            of_zygote[0].rename(tmp_path / "moved")
    assert len(of_zygote) == 1
    assert folder_of(environment, tasks[0]) == folder_of(environment, tasks[1])
    said = capfd.readouterr().err
    assert "no file could be made for its guest's memory; the run boots a fresh one" in said
    assert list(memory_in.iterdir()) == []


def test_a_forked_run_has_no_folder_for_memory_beside_its_zygotes(
    environment: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_in = tmp_path / "memory"
    memory_in.mkdir()
    monkeypatch.setenv(memory.FOLDER, str(memory_in))
    spins = own_abr(ABR.format(body="return sum(iter(int, 1))"))
    executor, seen = LocalExecutor(environment, 1), list[Path]()
    for event in executor.execute(iter([task(1, 1, experiment({}, client(), spins))])):
        if event.state == "running":
            until(lambda: processes_in(environment.store), "the fork")
            seen += memory_in.iterdir()
            executor.cancel(event.task.key)
    assert len(seen) == 1
    until(lambda: not list(memory_in.iterdir()), "the zygote's end")


@pytest.mark.parametrize("killed", ["fork server", "zygote"])
def test_whoever_is_killed_during_a_run_leaves_no_process(
    environment: Environment, killed: str
) -> None:
    spins = own_abr(ABR.format(body="return sum(iter(int, 1))"))
    told: Any = []
    for event in LocalExecutor(environment, 1).execute(
        [task(1, 1, experiment({}, client(), spins))]
    ):
        told.append(event.state)
        if event.state == "running":
            until(lambda: processes_in(environment.store), "the fork")
            pids = {"fork server": fork_servers, "zygote": waiting}[killed]()
            os.kill(pids[0], signal.SIGKILL)
    assert told == ["running", "failed"]
    until(lambda: not processes_in(environment.store), "the end of all its processes")


def test_a_cancelled_run_leaves_its_zygote(environment: Environment) -> None:
    spins = own_abr(ABR.format(body="return sum(iter(int, 1))"))
    executor = LocalExecutor(environment, 1)
    tasks = [task(1, 1, experiment({}, client(), spins))]
    for event in executor.execute(iter(tasks)):
        if event.state == "running":
            until(lambda: processes_in(environment.store), "the fork")
            executor.cancel(event.task.key)
    assert event.state == "cancelled"
    until(lambda: not processes_in(environment.store), "the end of all its processes")


def warm_for(asked: Task, environment: Environment, pool: Zygotes) -> Warm:
    choice = chosen(asked, environment, pool)
    assert choice is not None
    return choice.warm


@pytest.fixture
def pool(environment: Environment) -> Iterator[Zygotes]:
    made = of_store(Store(environment.store))
    yield made
    made.close()


def test_a_few_are_kept_the_last_used_ones(environment: Environment, pool: Zygotes) -> None:
    shapes = [experiment({}, *[client()] * count) for count in range(1, zygotes.MOST + 2)]
    found = [warm_for(task(1, asked=asked), environment, pool) for asked in shapes]
    pids = [each.zygote.pid for each in found]
    assert pool.pids == set(pids[1:])
    assert warm_for(task(2, asked=shapes[1]), environment, pool) is found[1]
    warm_for(task(3, asked=shapes[0]), environment, pool)
    assert pids[1] in pool.pids and pids[2] not in pool.pids
    assert pool.evict(unused_s=0.0) is None
    assert not pool.pids


def test_none_waits_with_a_kernel_that_a_campaign_changes(
    environment: Environment, pool: Zygotes
) -> None:
    changed = replace(kernel(), hash="0" * 16)
    assert chosen(replace(task(1), kernel=changed), environment, pool) is None
    assert chosen(replace(task(1), kernel=kernel()), environment, pool) is not None


def test_what_a_zygote_may_write_to_is_its_runs_alone(
    environment: Environment, pool: Zygotes, tmp_path: Path
) -> None:
    """A run's folder is within its zygote's for as long as the run goes on."""
    work = tmp_path / "work"
    choice = chosen(task(1), environment, pool)
    assert choice is not None
    runs = choice.warm.runs
    with lent_by(choice, work, None) as (folder, _):
        assert folder.parent == runs and work.resolve() == folder
        folder.joinpath("left").touch()
    assert not work.is_symlink() and [path.name for path in work.iterdir()] == ["left"]
    assert list(runs.iterdir()) == []


def test_a_zygote_that_hangs_is_ended_with_its_run(
    environment: Environment, pool: Zygotes, tmp_path: Path
) -> None:
    choice = chosen(task(1), environment, pool)
    assert choice is not None
    zygote = choice.warm.zygote
    for helper in children(zygote.pid):
        os.kill(helper, signal.SIGSTOP)
    os.kill(zygote.pid, signal.SIGSTOP)
    with lent_by(choice, tmp_path / "work", None, patience_s=0.5):
        pass
    assert not zygote.alive
    assert warm_for(task(1), environment, pool).zygote is not zygote
