"""Whatever happens to a campaign, one thing after the other, its states and counts agree."""

from __future__ import annotations

from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine import states
from weir_orchestrator.db import Campaign, Event
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.cancelling import cancel_queued
from weir_testing.platform.life import RUNS, Life

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
    actions=st.lists(st.tuples(st.sampled_from(_ACTIONS), st.integers(0, RUNS - 1)), max_size=25),
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
        assert told is None or told == {"state": state}
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
