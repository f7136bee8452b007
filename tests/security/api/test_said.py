"""What a lab or a role says is stored whatever it holds."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from weir_orchestrator.db import Event, Run
from weir_orchestrator.db.base import LONGEST_TOLD
from weir_orchestrator.lifecycle import end_runs, table
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, submit


@pytest.mark.parametrize(
    "said", ["a\0b", "\ud800", "x" * 5_000_000, "\0" * 100_000, "\x1b[2J\r\n", "é" * 6_000]
)
def test_a_reason_of_any_text_ends_a_run(platform: Platform, said: str) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)])
    with platform.sessions.begin() as session:
        end_runs(session, Run.state == "queued", table.FAIL, said)
    with platform.sessions() as session:
        run = session.scalars(select(Run)).one()
        assert run.state == "failed"
        assert len(run.reason) <= LONGEST_TOLD
        assert run.reason.encode().decode() == run.reason
        told = session.scalars(select(Event).where(Event.kind == "run.ended")).one()
        assert told.data["reason"] == run.reason
