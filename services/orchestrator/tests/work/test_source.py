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
from weir_lab.kernel import Kernel
from weir_orchestrator.db import Run, Worker
from weir_orchestrator.work import lease
from weir_orchestrator.work.batch import EVERYTHING
from weir_orchestrator.work.claim import Versions
from weir_orchestrator.work.kernels import Kernels
from weir_orchestrator.work.source import Source
from weir_testing.platform import Platform
from weir_testing.platform.work import VERSIONS, key_of, states, submit
from weir_testing.stand_in.versions import ROLES


class Kept(Kernels):
    """Those of a machine with the one kernel that the campaigns ask for."""

    def versions(self) -> Versions:
        return VERSIONS

    def get(self, kernel_hash: str) -> Kernel:
        return Kernel(Path("/nowhere"), kernel_hash, "7.3-test", ("cubic", "reno"))


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

    def make(sessions: sessionmaker[Session]) -> Source:
        kept = Kept(ROLES, ("virtual",))
        minute = timedelta(minutes=1)
        return Source(sessions, row.id, kept, minute, 6, EVERYTHING, tmp_path, minute)

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
