"""Campaigns and runs go from state to state as the tables of the lifecycle have it, and only so."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem
from weir_engine import states
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Event, Run, Worker, connect, make_sessions
from weir_orchestrator.errors import Conflict
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move
from weir_orchestrator.lifecycle.cancelling import cancel_queued
from weir_orchestrator.lifecycle.runs import drop_runs, requeue_runs
from weir_orchestrator.work import lease
from weir_orchestrator.work.claim import claim
from weir_testing.platform import TEAM, id_of
from weir_testing.platform.work import VERSIONS, key_of, submit

_LEASE: Final = timedelta(minutes=1)
_RUNS: Final = 3
_PROBLEM: Final = Problem("experiment.duration", "soon", "a duration", "give seconds")
# Written by the database itself: what no code of ours can leave out.
_WATCH: Final = (
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


@pytest.fixture(scope="module")
def sessions(
    filled_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sessionmaker[Session]]:
    """A database that notes every state that is written."""
    path = tmp_path_factory.mktemp("lifecycle") / "weir.db"
    shutil.copy(filled_sqlite, path)
    engine = connect(f"sqlite:///{path}")
    made = make_sessions(engine)
    with made.begin() as session:
        for statement in _WATCH:
            session.execute(text(statement))
    yield made
    engine.dispose()


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
        keys = [key_of(number) for number in range(_RUNS)]
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


_OF_MEMBERS: Final = {
    "pause": table.PAUSE,
    "resume": table.RESUME,
    "cancel": table.CANCEL,
    "rerun failed": table.RERUN,
}


@pytest.mark.parametrize("old", table.STATES)
@pytest.mark.parametrize("by", table.CAMPAIGNS[1:], ids=lambda by: by.action)
def test_a_campaign_moves_where_the_table_says_and_nowhere_else(
    sessions: sessionmaker[Session], by: table.Transition, old: str
) -> None:
    for new in table.STATES:
        life = Life(sessions)
        life.force(old)
        with sessions() as session:
            campaign = life.campaign(session)
            if by.allows(old, new):
                move(session, campaign, by, new)
                session.commit()
            else:
                with pytest.raises(Conflict, match=f"the campaign is {old}"):
                    move(session, campaign, by, new)
                session.rollback()
        told = [(old, new)] if by.allows(old, new) else []
        assert life.moved("campaign") == told
        with sessions() as session:
            events = session.scalars(select(Event.data).where(Event.kind == by.event)).all()
        assert events == [{"state": after} for _, after in told]


@pytest.mark.parametrize("old", table.STATES)
@pytest.mark.parametrize("action", _OF_MEMBERS)
def test_what_members_do_moves_a_campaign_is_needless_or_is_refused(
    sessions: sessionmaker[Session], action: str, old: str
) -> None:
    by = _OF_MEMBERS[action]
    life = Life(sessions)
    life.force(old, "failed", "running", "running")
    life.do(action)
    moved = life.moved("campaign")
    assert bool(moved) == (old in by.old)
    assert all(by.allows(before, after) for before, after in moved[:1])


_ENDING: Final = [by for by in table.RUNS if by.event == "run.ended"]


@pytest.mark.parametrize("old", states.STATES)
@pytest.mark.parametrize("by", _ENDING, ids=lambda by: by.action)
def test_a_run_ends_from_where_the_table_says_with_an_event(
    sessions: sessionmaker[Session], by: table.Transition, old: str
) -> None:
    for new in by.new:
        life = Life(sessions)
        life.force("active", old)
        with sessions.begin() as session:
            campaigns = lifecycle.end_runs(session, Run.position == 0, by, "why", new)
            ended = session.scalars(select(Event.data).where(Event.kind == by.event)).all()
        assert life.moved("run") == ([(old, new)] if old in by.old else [])
        assert campaigns == ({life.id} if old in by.old else set())
        assert [(data["state"], data["reason"]) for data in ended] == [
            (new, "why") for _ in campaigns
        ]


@pytest.mark.parametrize("old", states.STATES)
def test_other_moves_of_runs_leave_what_the_table_does_not_name(
    sessions: sessionmaker[Session], old: str
) -> None:
    def start(session: Session) -> None:
        run = session.execute(select(Run.id, Run.campaign_id).where(Run.position == 0)).one()
        lifecycle.start_runs(session, id_of(TEAM), run.campaign_id, {run.id: 0})

    def give_back(session: Session) -> None:
        run_id = session.scalars(select(Run.id).where(Run.position == 0)).one()
        lifecycle.queue_again(session, run_id, tried=True)

    def drop(session: Session) -> None:
        drop_runs(session, select(Run.id).where(Run.position == 0), "cancelled")

    def queue(session: Session) -> None:
        requeue_runs(session, life.campaign(session), states.STATES)

    for by, do in (
        (table.CLAIM, start),
        (table.GIVE_BACK, give_back),
        (table.DROP, drop),
        (table.QUEUE, queue),
    ):
        life = Life(sessions)
        life.force("active", old)
        with sessions.begin() as session:
            do(session)
        assert life.moved("run") == ([(old, by.new[0])] if old in by.old else [])


_ACTIONS: Final = (
    "pause",
    "resume",
    "cancel",
    "rerun failed",
    "rerun invalid cancelled",
    "expand",
    "refuse",
    "claim",
    "claim",
    "give back",
    "succeeded",
    "invalid",
    "fail",
    "bury",
    "strand",
)


@given(
    new=st.booleans(),
    actions=st.lists(st.tuples(st.sampled_from(_ACTIONS), st.integers(0, _RUNS - 1)), max_size=25),
)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_whatever_happens_every_move_is_in_the_table_and_ends_agree(
    sessions: sessionmaker[Session], new: bool, actions: list[tuple[str, int]]
) -> None:
    life = Life(sessions, **({"state": "expanding", "expanded": 1} if new else {}))
    for action, position in actions:
        life.do(action, position)
        for what, transitions in (("campaign", table.CAMPAIGNS), ("run", table.RUNS)):
            for old, after in life.moved(what):
                assert any(by.allows(old, after) for by in transitions), (what, old, after, action)
        state, runs = life.states()
        over = not any(each in states.OPEN for each in runs)
        with sessions() as session:
            campaign = session.get_one(Campaign, life.id)
            told = session.scalars(
                select(Event.data).where(Event.kind == "campaign.state").order_by(Event.id.desc())
            ).first()
            events = session.scalar(
                select(func.count()).select_from(Event).where(Event.kind == "run.ended")
            )
        assert told is None or told == {"state": state}
        assert events is not None
        if state == "finished":
            assert over
        if state in table.ENDED:
            assert (campaign.counts is not None) == over
            assert campaign.ended_at is not None
        if campaign.counts is not None:
            assert campaign.counts == {each: runs.count(each) for each in set(runs)}


def test_of_a_cancelled_campaign_no_run_is_left_and_the_counts_are_its_runs(
    sessions: sessionmaker[Session],
) -> None:
    life = Life(sessions)
    life.force("cancelled", "succeeded")
    with sessions.begin() as session:
        assert not cancel_queued(session, life.campaign(session))
    assert life.states() == ("cancelled", ["succeeded", "cancelled", "cancelled"])
    with sessions() as session:
        counts = session.scalars(select(Campaign.counts)).one()
    assert counts == {"succeeded": 1, "cancelled": 2}


def test_what_one_execution_may_do_the_platform_may_do() -> None:
    history = [(old, new) for old, news in states.NEXT.items() for new in news]
    for old, new in history:
        if "pending" not in (old, new):
            assert any(by.allows(old, new) for by in table.RUNS), (old, new)


def test_the_words_of_the_tables_are_the_words_of_the_states() -> None:
    for transitions, words in ((table.CAMPAIGNS, table.STATES), (table.RUNS, states.STATES)):
        for by in transitions:
            assert {*by.old, *by.new} <= {None, *words}, by
            assert by.new, by
    assert {*table.GOING_ON, *table.ENDED, *table.DELETE.new} == {*table.STATES}
    assert {*states.OPEN, *states.FINISHED, *states.BAD} == {*states.STATES}
    # From every state but the last there is a way on, and every state is reached.
    for transitions, last in ((table.CAMPAIGNS, {"deleting"}), (table.RUNS, {"succeeded"})):
        reached = {new for by in transitions for new in by.new}
        left = {old for by in transitions for old in by.old if old is not None}
        assert reached - left == last
