"""Where a worker's tasks come from: no run is lost between the database's word and the worker's."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.task import Task
from weir_orchestrator.db import Run, Worker
from weir_orchestrator.work import lease
from weir_orchestrator.work.batch import EVERYTHING, Batch
from weir_orchestrator.work.pace import Pace
from weir_orchestrator.work.source import Source
from weir_testing.platform import Platform
from weir_testing.platform.work import OneKernel, key_of, states, submit


def silenced(platform: Platform) -> sessionmaker[Session]:
    """Of a database that goes away when it has written, before it can say so: the first time."""
    sessions: sessionmaker[Session] = sessionmaker(
        platform.sessions.kw["bind"], class_=type("Silenced", (Session,), {})
    )

    @event.listens_for(sessions, "after_commit", once=True)
    def _(session: Session) -> None:
        raise OperationalError("COMMIT", {}, Exception("server closed the connection"))

    return sessions


@pytest.fixture
def source(platform: Platform, tmp_path: Path) -> Callable[..., Source]:
    """`source(sessions)`: that of a worker."""
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)

    def make(sessions: sessionmaker[Session], batch: Batch = EVERYTHING) -> Source:
        kept = OneKernel()
        minute = timedelta(minutes=1)
        still = Pace(clock_s=lambda: 0.0)  # all that is begun is begun now
        return Source(sessions, row.id, kept, minute, 6, batch, tmp_path, minute, still)

    return make


def worker_of(platform: Platform) -> uuid.UUID:
    with platform.sessions() as session:
        return session.scalars(select(Worker.id)).one()


def first(source: Source) -> Task:
    """The next task, however often there is none yet."""
    return next(filter(None, source.tasks()))


def test_a_claim_that_was_written_and_not_told_is_given_back(
    platform: Platform, source: Callable[..., Source]
) -> None:
    campaign = submit(platform.sessions, platform.team_id, [key_of(1)])
    claiming = source(silenced(platform))
    assert next(claiming.tasks()) is None
    assert states(platform.sessions, campaign) == ["running"] and not claiming.held()
    assert first(claiming).key == key_of(1)
    with platform.sessions() as session:
        assert session.get_one(Run, claiming.held()[key_of(1)].run_id).attempts == 1


def test_a_run_that_is_given_back_is_claimed_once_its_last_try_is_removed(
    platform: Platform, source: Callable[..., Source]
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)])
    claiming = source(platform.sessions)
    first(claiming)
    (tried,) = claiming.held().values()
    with platform.sessions.begin() as session:
        lease.give_back(session, worker_of(platform), tried.run_id, tried.key, tried=True)
    assert next(claiming.tasks()) is None
    claiming.let_go(tried.key)
    assert first(claiming).key == tried.key
    assert claiming.held()[tried.key].attempts == 2


def test_a_fast_worker_claims_more_at_once_and_hands_each_out_once(
    platform: Platform, source: Callable[..., Source]
) -> None:
    keys = [key_of(n) for n in range(40)]
    campaign = submit(platform.sessions, platform.team_id, keys)
    claiming = source(platform.sessions)
    handed, running = [], []
    for _ in keys:
        task = first(claiming)
        handed.append(task.key)
        running.append(states(platform.sessions, campaign).count("running"))
        claiming.let_go(task.key)
    assert handed == keys
    # What was begun so far is claimed at once: 1, 1, 2, 4, 8, ... of a campaign of 40.
    assert sorted(set(running)) == [1, 2, 4, 8, 16, 32, 40]
    assert claiming.held() == {}


def test_what_is_held_is_bounded_also_of_a_fast_worker(
    platform: Platform, source: Callable[..., Source]
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(500)])
    claiming = source(platform.sessions)
    tasks = claiming.tasks()
    for _ in range(100):
        if (task := next(tasks)) is not None:
            claiming.let_go(task.key)
    while next(tasks) is not None:
        pass
    assert 64 <= len(claiming.held()) <= 6 + 4 * 64


def test_a_batch_is_no_larger_where_several_are_claimed_at_once(
    platform: Platform, source: Callable[..., Source]
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(9)])
    claiming = source(platform.sessions, Batch(at_most=5))
    handed = []
    for task in claiming.tasks():
        assert task is not None
        handed.append(task.key)
        claiming.let_go(task.key)
    assert handed == [key_of(n) for n in range(5)]


def test_what_waits_for_long_or_is_unwanted_is_taken_back_and_no_longer_handed_out(
    platform: Platform, source: Callable[..., Source]
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(8)])
    claiming = source(platform.sessions, Batch(at_most=8))
    for _ in range(5):
        begun = first(claiming).key
    ahead = claiming.held().keys() - {key_of(n) for n in range(5)}
    assert begun == key_of(4) and ahead == {key_of(5), key_of(6), key_of(7)}
    assert claiming.take_back(()) == []
    assert [one.key for one in claiming.take_back({begun, key_of(6)})] == [key_of(6)]
    late = claiming.take_back((), after_s=0.0)
    assert [one.key for one in late] == [key_of(5), key_of(7)]
    assert claiming.held().keys() == {key_of(n) for n in range(5)}
    worker = worker_of(platform)
    with platform.sessions.begin() as session:
        for one in late:
            lease.give_back(session, worker, one.run_id, one.key)
    assert not claiming.exhausted(), "a batch does not count what it has given back"
    assert [first(claiming).key, first(claiming).key] == [key_of(5), key_of(7)]
    assert {claiming.held()[one.key].attempts for one in late} == {1}


def test_what_was_claimed_and_not_begun_can_be_given_back(
    platform: Platform, source: Callable[..., Source]
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(9)])
    claiming = source(platform.sessions)
    for _ in range(3):
        claiming.let_go(first(claiming).key)
    (ahead,) = claiming.held().values()
    claiming.let_go(ahead.key)
    assert first(claiming).key != ahead.key
