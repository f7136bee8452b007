"""Runs that ended are kept together, and what is wrong with one of them takes none along."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import select
from weir_engine import jsonfile
from weir_engine.store import Store
from weir_engine.task import RunUpdate, Task
from weir_orchestrator.db import Lease, Result, Run, Worker
from weir_orchestrator.housekeeping.packs import remove_unused_packs
from weir_orchestrator.objects import PACKS, StoreUnavailable
from weir_orchestrator.recorded import files_of_key
from weir_orchestrator.work.batch import EVERYTHING
from weir_orchestrator.work.finish import Finisher
from weir_orchestrator.work.keeping import Keeper
from weir_orchestrator.work.pace import Pace
from weir_orchestrator.work.source import Source
from weir_testing.platform import Platform
from weir_testing.platform.work import OneKernel, key_of, states, submit, write_run_directory

LEASE = timedelta(minutes=1)


@dataclass
class Work:
    """A worker's parts without its process. killed: not empty where it is to end now."""

    platform: Platform
    source: Source
    scratch: Store
    keeper: Keeper
    finisher: Finisher
    killed: list[bool]

    def carry_out(self, runs: int) -> list[Task]:
        """Begin so many runs; each leaves a run directory."""
        tasks = list(islice(filter(None, self.source.tasks()), runs))
        for task in tasks:
            write_run_directory(self.scratch.run_path(task.key), self.source.held()[task.key])
        return tasks

    def reasons(self) -> list[str]:
        with self.platform.sessions() as session:
            return list(session.scalars(select(Run.reason).order_by(Run.position)))

    def left(self) -> tuple[int, int, list[Path]]:
        """How many runs are held, how many leases there are, and what is on the disk."""
        with self.platform.sessions() as session:
            leases = session.scalars(select(Lease.key)).all()
        files = [path for path in self.scratch.root.rglob("*") if path.is_file()]
        return len(self.source.held()), len(leases), files


@pytest.fixture
def work(platform: Platform, tmp_path: Path) -> Work:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)
    kernels, scratch = OneKernel(), Store(tmp_path / "scratch")
    scratch.root.mkdir()
    source = Source(
        *(platform.sessions, row.id, kernels, LEASE, 9, EVERYTHING, tmp_path, LEASE, Pace())
    )
    finisher = Finisher(platform.sessions, platform.objects, row.id, LEASE, source.is_last)
    killed: list[bool] = []
    keeper = Keeper(
        *(platform.sessions, finisher, source, scratch, kernels, 3), given_up=lambda: bool(killed)
    )
    return Work(platform, source, scratch, keeper, finisher, killed)


def test_one_that_cannot_be_kept_fails_alone(work: Work, platform: Platform) -> None:
    campaign = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(4)])
    tasks = work.carry_out(4)
    (work.scratch.run_path(tasks[1].key) / "link").symlink_to("/etc/hosts")
    (work.scratch.run_path(tasks[2].key) / "metrics.json").write_text("{")
    work.keeper.keep([RunUpdate(task, "succeeded", wall_s=0.5) for task in tasks])
    assert states(platform.sessions, campaign) == ["succeeded", "failed", "failed", "succeeded"]
    assert "its result could not be kept: BadInput: " in work.reasons()[1]
    assert "a symbolic link" in work.reasons()[1]
    assert work.left() == (0, 0, [])
    with platform.sessions() as session:
        assert set(session.scalars(select(Result.key))) == {tasks[0].key, tasks[3].key}


def test_one_that_the_store_does_not_take_yet_waits_alone(
    work: Work, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(3)])
    tasks = work.carry_out(3)
    put_bytes = platform.objects.put_bytes
    seen: list[list[str]] = []

    def refusing(key: str, content: bytes) -> None:
        if (PACKS in key or tasks[0].key in key) and len(seen) < 3:
            seen.append(states(platform.sessions, campaign))
            raise StoreUnavailable(platform.objects.url, "not now")
        put_bytes(key, content)

    monkeypatch.setattr(work.finisher.objects, "put_bytes", refusing)
    work.keeper.keep([RunUpdate(task, "succeeded", wall_s=0.5) for task in tasks])
    assert seen == [["running"] * 3, ["running"] * 3, ["running", "succeeded", "succeeded"]]
    assert states(platform.sessions, campaign) == ["succeeded"] * 3
    assert work.left() == (0, 0, [])


def test_runs_that_ended_otherwise_end_beside_those_that_succeeded(
    work: Work, platform: Platform
) -> None:
    campaign = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(5)])
    tasks = work.carry_out(5)
    log = work.scratch.failed_path(tasks[1].key)
    log.mkdir(parents=True)
    jsonfile.write(log / "run.json", {"reason": "no such level"})
    work.keeper.keep(
        [
            RunUpdate(tasks[0], "succeeded", wall_s=0.5),
            RunUpdate(tasks[1], "failed", "no such level", 0.1),
            RunUpdate(tasks[2], "cancelled", "", 0.1),
            RunUpdate(tasks[3], "failed", "killed by SIGKILL", 0.1, lost=True),
            RunUpdate(tasks[4], "invalid", "rtt_s: too long", 0.5),
        ]
    )
    assert states(platform.sessions, campaign) == [
        *("succeeded", "failed", "queued", "queued", "invalid")
    ]
    assert work.reasons() == ["", "no such level", "", "", "rtt_s: too long"]
    assert work.left() == (0, 0, [])
    with platform.sessions() as session:
        attempts = session.scalars(select(Run.attempts).order_by(Run.position)).all()
    assert attempts == [1, 1, 0, 1, 1]


def test_what_cannot_be_kept_is_left_to_the_end_of_a_worker_that_is_killed(
    work: Work, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    tasks = work.carry_out(2)

    def refusing(key: str, content: bytes) -> None:
        raise StoreUnavailable(platform.objects.url, "not now")

    monkeypatch.setattr(work.finisher.objects, "put_bytes", refusing)
    work.killed.append(True)
    work.keeper.keep([RunUpdate(task, "succeeded", wall_s=0.5) for task in tasks])
    assert work.left()[:2] == (2, 2)
    for claim in work.source.held().values():
        work.keeper.give_back(claim)
    with platform.sessions() as session:
        assert session.scalars(select(Run.state)).all() == ["queued", "queued"]


def test_where_their_pack_was_taken_for_unused_they_are_kept_one_by_one(
    work: Work, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The housekeeper comes between their object and their transaction, as after a long pause."""
    campaign = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(4)])
    tasks = work.carry_out(4)
    put_bytes = platform.objects.put_bytes

    def put_and_remove(key: str, content: bytes) -> None:
        put_bytes(key, content)
        assert not remove_unused_packs(platform.sessions, platform.objects, timedelta(hours=1))
        remove_unused_packs(platform.sessions, platform.objects, timedelta(0))

    monkeypatch.setattr(work.finisher.objects, "put_bytes", put_and_remove)
    work.keeper.keep([RunUpdate(task, "succeeded", wall_s=0.5) for task in tasks])
    assert states(platform.sessions, campaign) == ["succeeded"] * 4
    with platform.sessions() as session:
        assert session.scalars(select(Result.pack_id)).all() == [None] * 4
        for task in tasks:
            files = files_of_key(session, platform.objects, task.key)
            assert files.document("run.json") == {"key": task.key}
    assert list(platform.objects.list(PACKS)) == []
