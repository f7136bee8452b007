"""A worker's leases are kept and ended many at a time, by several of its threads."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text
from weir_orchestrator.db import Lease, Worker
from weir_orchestrator.work import lease
from weir_orchestrator.work.claim import claim
from weir_testing.patience import until
from weir_testing.platform import Platform
from weir_testing.platform.work import VERSIONS, key_of, submit

LEASE = timedelta(minutes=1)
FIRST, SECOND = key_of(1), key_of(2)


@pytest.fixture
def worker(platform: Platform) -> uuid.UUID:
    """It holds two keys; in the table the second one stands before the first."""
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)
    submit(platform.sessions, platform.team_id, [SECOND, FIRST])
    for key in (SECOND, FIRST):
        with platform.sessions.begin() as session:
            (claimed,) = claim(session, row.id, VERSIONS, LEASE)
            assert claimed.key == key
    return row.id


def test_only_ones_own_are_kept_and_ended(platform: Platform, worker: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        assert lease.renew(session, uuid.uuid4(), [FIRST], LEASE) == set()
        assert lease.end(session, uuid.uuid4(), [FIRST]) == set()
        assert lease.renew(session, worker, [FIRST, key_of(3)], LEASE) == {FIRST}
        assert lease.end(session, worker, [FIRST, key_of(3)]) == {FIRST}
        assert lease.end(session, worker, [FIRST]) == set()
        assert session.scalars(select(Lease.key)).all() == [SECOND]


def test_a_heartbeat_and_the_end_of_several_runs_do_not_wait_for_each_other(
    platform: Platform, worker: uuid.UUID
) -> None:
    """Whichever way through the table the database finds the leases."""
    if platform.backend == "embedded":
        pytest.skip("one transaction at a time writes there")

    def end_both() -> set[str]:
        with platform.sessions.begin() as session:
            for way in ("indexscan", "bitmapscan", "indexonlyscan"):
                session.execute(text(f"SET LOCAL enable_{way} = off"))
            return lease.end(session, worker, [FIRST, SECOND])

    def is_waiting() -> bool:
        waits = text(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        with platform.sessions() as session:
            return bool(session.scalar(waits))

    with ThreadPoolExecutor(1) as beside, platform.sessions.begin() as session:
        assert lease.renew(session, worker, [FIRST], LEASE) == {FIRST}
        ending = beside.submit(end_both)
        until(is_waiting)
        assert lease.renew(session, worker, [SECOND], LEASE) == {SECOND}
        session.commit()
        assert ending.result() == {FIRST, SECOND}
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Lease)) == 0
