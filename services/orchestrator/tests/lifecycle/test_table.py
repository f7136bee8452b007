"""Campaigns and runs go from state to state as the tables of the lifecycle have it, and only so."""

from __future__ import annotations

from typing import Final

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine import states
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Event, Run
from weir_orchestrator.errors import Conflict
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move
from weir_orchestrator.lifecycle.runs import drop_runs, requeue_runs
from weir_testing.platform import TEAM, id_of
from weir_testing.platform.life import Life

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
