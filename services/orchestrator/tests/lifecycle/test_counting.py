"""How many runs are in which state, of campaigns that have blocks and of others."""

from __future__ import annotations

import uuid
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import update
from weir_orchestrator.db import Run
from weir_orchestrator.housekeeping.blocks import make_next
from weir_orchestrator.lifecycle import count_states
from weir_orchestrator.lifecycle.runs import drop_blocks
from weir_testing.platform import Platform
from weir_testing.platform.results import all_but, make_runs, store
from weir_testing.platform.statements import after_the_first

STATES = {
    0: "invalid",
    3: "failed",
    6: "cancelled",
    8: "running",
    10: "queued",
    11: "queued",
}
RUNS = 12


def _counted(platform: Platform, *campaigns: uuid.UUID) -> dict[uuid.UUID, dict[str, int]]:
    with platform.app.state.reading() as session:
        return count_states(session, campaigns)


@pytest.mark.parametrize("block_runs", [1, 5, RUNS, RUNS + 1])
def test_blocks_change_no_count(platform: Platform, tmp_path: Path, block_runs: int) -> None:
    made = make_runs(tmp_path)
    whole = store(platform, made)
    some = store(platform, made, state_of=all_but(STATES))
    expected = {
        whole: {"succeeded": RUNS},
        some: Counter(STATES.values()) + Counter(succeeded=RUNS - len(STATES)),
    }
    while make_next(platform.sessions, block_runs):
        pass
    assert _counted(platform, whole, some) == expected
    for campaign, counts in expected.items():
        assert _counted(platform, campaign) == {campaign: counts}
    assert _counted(platform) == {}


def test_runs_that_are_queued_again_meanwhile_are_counted_once(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = store(platform, make_runs(tmp_path))
    assert make_next(platform.sessions, RUNS)

    def again() -> None:
        with platform.sessions.begin() as session:
            drop_blocks(session, [campaign])
            of = (Run.campaign_id == campaign, Run.position < 2)
            session.execute(update(Run).where(*of).values(state="queued", result_id=None))

    with after_the_first(platform.app.state.engine, again):
        assert _counted(platform, campaign) == {campaign: {"succeeded": RUNS - 2, "queued": 2}}
