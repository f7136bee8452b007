"""What Postgres reads for a claim and for the end of a run, whatever it believes of the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text, update
from sqlalchemy.orm import Session
from weir_orchestrator.db import Run, Team, Worker, connect, make_sessions, schema
from weir_orchestrator.lifecycle import settle_if_over
from weir_orchestrator.work.claim import claim
from weir_orchestrator.work.front import Front
from weir_testing.platform.work import VERSIONS, add_runs, key_of, submit
from weir_testing.servers.postgres import Postgres

RUNS = 20_000
PLANS_ARE_KEPT_AFTER = 16
"""Times that a statement is asked: psycopg prepares it, then Postgres plans it anew a few times."""
READ_FOR_ONE = 20
"""Rows: a run is found, locked, written; its key is looked for; claims before left it behind."""
LEASE = timedelta(seconds=30)


@pytest.fixture
def engine(postgres_server: Postgres) -> Iterator[Engine]:
    url = postgres_server.create()
    engine = connect(url)
    schema.upgrade(engine)
    yield engine
    engine.dispose()
    postgres_server.drop(url)


def runs_read(session: Session) -> int:
    """Rows of runs that this session's statements looked at, and those of sessions before it."""
    session.execute(text("SELECT pg_stat_force_next_flush()"))
    session.commit()
    read = "seq_tup_read + idx_tup_fetch"
    query = text(f"SELECT {read} FROM pg_stat_user_tables WHERE relname = 'run'")
    return int(session.scalars(query).one())


@pytest.mark.parametrize("ended", [0, RUNS // 10, RUNS * 8 // 10, RUNS - 1000])
def test_few_runs_are_read_for_those_that_are_taken(engine: Engine, ended: int) -> None:
    sessions = make_sessions(engine)
    team, worker = Team(slug="a", name="a"), Worker(host="here", pid=1, jobs=2)
    with sessions.begin() as session:
        session.add_all([team, worker])
    campaign = submit(sessions, team.id, [key_of(0)])
    with sessions.begin() as session:
        add_runs(session, RUNS - 1)
        session.execute(update(Run).where(Run.position < ended).values(state="succeeded"))
        session.execute(text("ANALYZE"))
    other_clock = replace(VERSIONS, clocks=("real",))
    front = Front()
    with sessions() as session:
        before, taken = runs_read(session), 0
        for at_most in (1, 36) * (PLANS_ARE_KEPT_AFTER // 2):
            taken += len(claim(session, worker.id, VERSIONS, LEASE, at_most, front))
            assert claim(session, worker.id, other_clock, LEASE, at_most) == []
            settle_if_over(session, campaign)
        assert taken == 37 * (PLANS_ARE_KEPT_AFTER // 2)
        assert runs_read(session) - before <= READ_FOR_ONE * taken
