"""A campaign that is taken from state to state, in a database that notes each that is written."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Event, Run, Worker
from weir_orchestrator.errors import Conflict
from weir_orchestrator.lifecycle import table
from weir_orchestrator.work import lease
from weir_orchestrator.work.claim import claim

from weir_testing.platform import TEAM, id_of
from weir_testing.platform.work import VERSIONS, key_of, submit

__all__ = ["RUNS", "WATCH", "Life"]

_LEASE: Final = timedelta(minutes=1)
RUNS: Final = 3
_PROBLEM: Final = Problem("experiment.duration", "soon", "a duration", "give seconds")
# Written by the database itself: what no code of ours can leave out.
WATCH: Final = (
    "CREATE TABLE moved (id INTEGER PRIMARY KEY, what TEXT, old TEXT, new TEXT)",
    *(
        statement
        for what in ("run", "campaign")
        for statement in (
            f"CREATE TRIGGER {what}_new AFTER INSERT ON {what} BEGIN "
            f"INSERT INTO moved(what, old, new) VALUES ('{what}', NULL, NEW.state); END",
            f"CREATE TRIGGER {what}_moved AFTER UPDATE OF state ON {what} BEGIN "
            f"INSERT INTO moved(what, old, new) VALUES ('{what}', OLD.state, NEW.state); END",
        )
    ),
)


class Life:
    """One campaign of three runs, alone in the database, and a worker that does as it is told."""

    def __init__(self, sessions: sessionmaker[Session], **fields: Any) -> None:
        self.sessions = sessions
        self.worker = uuid.uuid4()
        with sessions.begin() as session:
            session.execute(delete(Campaign))
            session.execute(delete(Worker))
            session.execute(delete(Event))
            session.add(Worker(id=self.worker, host="here", pid=1, jobs=1))
        keys = [key_of(number) for number in range(RUNS)]
        self.id = submit(sessions, id_of(TEAM), keys, **fields)
        with sessions.begin() as session:
            session.execute(text("DELETE FROM moved"))

    def campaign(self, session: Session) -> Campaign:
        return session.get_one(Campaign, self.id, with_for_update=True)

    def force(self, campaign: str = "", *runs: str) -> None:
        """Put the campaign and its first runs into states, past all rules."""
        with self.sessions.begin() as session:
            if campaign:
                session.execute(update(Campaign).values(state=campaign))
            for position, state in enumerate(runs):
                session.execute(update(Run).where(Run.position == position).values(state=state))
            session.execute(text("DELETE FROM moved"))

    def moved(self, what: str) -> list[tuple[str | None, str]]:
        """The states that were written since the last call: (before, after)."""
        with self.sessions.begin() as session:
            asked = text("SELECT old, new FROM moved WHERE what = :what ORDER BY id")
            rows = session.execute(asked, {"what": what}).all()
            session.execute(text("DELETE FROM moved WHERE what = :what"), {"what": what})
        return [(row.old, row.new) for row in rows]

    def states(self) -> tuple[str, list[str]]:
        with self.sessions() as session:
            runs = list(session.scalars(select(Run.state).order_by(Run.position)))
            return session.scalars(select(Campaign.state)).one(), runs

    def do(self, action: str, position: int = 0) -> None:
        """What members, workers and the housekeeper do, in transactions as theirs."""
        try:
            with self.sessions.begin() as session:
                self._do(session, action, position)
        except Conflict:
            return
        with self.sessions.begin() as session:
            lifecycle.settle_if_over(session, self.id)

    def _do(self, session: Session, action: str, position: int) -> None:
        campaign = self.campaign(session)
        run = session.scalars(select(Run).where(Run.position == position)).one()
        mine, running = Run.id == run.id, run.state == "running"
        if action in {"pause", "resume", "cancel"}:
            getattr(lifecycle, action)(session, campaign)
        elif action.startswith("rerun"):
            lifecycle.rerun(session, campaign, action.split()[1:])
        elif action == "refuse":
            if campaign.state == "expanding":
                lifecycle.refuse(session, campaign, [_PROBLEM])
        elif action == "expand":
            if campaign.state == "expanding":
                campaign.expanded = campaign.run_count
                lifecycle.expanded(session, campaign)
        elif action == "claim":
            claim(session, self.worker, VERSIONS, _LEASE)
        elif action == "strand":
            lifecycle.end_runs(session, mine, table.STRAND, "no worker")
        elif running and action == "give back":
            lease.give_back(session, self.worker, run.id, run.key)
        elif running and action in {"succeeded", "invalid"}:
            lifecycle.end_runs(session, mine, table.SUCCEED, "", action)
            lease.expire(session, self.worker)
        elif running and action == "fail":
            lifecycle.end_runs(session, mine, table.FAIL, "it broke")
        elif running and action == "bury":
            lifecycle.end_runs(session, mine, table.BURY, "workers died")
