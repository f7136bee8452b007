"""Answers by blocks of a large campaign's runs: the same as by its rows, whatever happens to them.

Blocks have ten thousand runs; here a few.
"""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any, cast

import numpy as np
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import FINISHED
from weir_orchestrator.db import Block, BlockValues, Result, Run, utc_now
from weir_orchestrator.housekeeping.blocks import make_next
from weir_orchestrator.lifecycle import Ending, end_with_results, table
from weir_testing.platform import Platform
from weir_testing.platform.results import CC, METRIC, SHAPING, Made, all_but, answers, store

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("aggregate", {"metric": METRIC, "rows": CC, "columns": SHAPING}),
    ("aggregate", {"metric": METRIC, "rows": CC, "client": 1}),
    ("aggregate", {"metric": METRIC, "client": 2, f"level.{CC}": "reno"}),
    ("aggregate", {"metric": METRIC, "client": 3}),
    ("aggregate", {"metric": "jain", "rows": SHAPING}),
    ("values", {"metric": METRIC, "rows": CC}),
    ("effects", {"metric": METRIC}),
    ("runs", {"sort": METRIC, "limit": 500}),
]

ENDED = {3: "invalid", 6: "failed"}
GOING_ON = ENDED | {8: "queued"}


def _pages(platform: Platform, campaign: uuid.UUID, asked: dict[str, Any]) -> list[Any]:
    """All runs of a list, page by page."""
    client = platform.client("read")
    found: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        answer = client.get(f"/api/v1/campaigns/{campaign}/runs", params={**asked, **cursor})
        assert answer.status_code == 200, answer.text
        found.append([run["position"] for run in answer.json()["items"]])
        if answer.json()["next"] is None:
            return found
        cursor = {"cursor": answer.json()["next"]}


def _make_all(platform: Platform, block_runs: int) -> int:
    made = 0
    while make_next(platform.sessions, block_runs):
        made += 1
    return made


def _made(platform: Platform) -> int:
    query = select(func.count()).select_from(Block).where(Block.run.is_not(None))
    with platform.sessions() as session:
        return session.scalars(query).one()


@pytest.mark.parametrize(("block_runs", "blocks"), [(12, 1), (5, 2), (1, 12), (13, 0)])
def test_blocks_change_no_answer(
    platform: Platform, made: Made, block_runs: int, blocks: int
) -> None:
    campaign = store(platform, made)
    before = answers(platform, campaign, ASKED)
    assert _make_all(platform, block_runs) == _made(platform) == blocks
    assert answers(platform, campaign, ASKED) == before


@pytest.mark.parametrize(
    ("block_runs", "states", "limit"),
    [
        pytest.param(*each, limit, marks=() if limit == 5 else pytest.mark.long)
        for each in ((12, ENDED), (5, ENDED), (5, GOING_ON))
        for limit in (1, 2, 5, 11, 12)
    ],
)
def test_pages_sorted_by_a_metric_are_the_same(
    platform: Platform, made: Made, block_runs: int, states: dict[int, str], limit: int
) -> None:
    campaign = store(platform, made, state_of=all_but(states))
    asked: list[dict[str, Any]] = [
        {"sort": sort, "limit": limit, **only}
        for sort in (METRIC, f"-{METRIC}", "-jain", "stall_count")
        for only in ({}, {"client": 2}, {f"level.{CC}": "reno"}, {"state": "failed"})
    ]
    asked += [{"sort": METRIC, "limit": limit, "state": state} for state in FINISHED]
    before = [_pages(platform, campaign, each) for each in asked]
    assert _make_all(platform, block_runs)
    assert [_pages(platform, campaign, each) for each in asked] == before
    client = platform.client("read")
    answer = client.get(f"/api/v1/campaigns/{campaign}/runs?sort=jain&cursor=%3Enonsense")
    assert answer.status_code == 422


def test_pages_are_the_same_where_means_differ_in_their_last_digit(
    platform: Platform, made: Made
) -> None:
    """As those of blocks may, from those that a database makes of rows."""
    campaign = store(platform, made)
    asked = [{"sort": sort, "limit": 2} for sort in (METRIC, f"-{METRIC}")]
    before = [_pages(platform, campaign, each) for each in asked]
    _make_all(platform, 12)
    for towards in (np.inf, -np.inf):
        with platform.sessions.begin() as session:
            for each in session.scalars(select(BlockValues)):
                each.packed = np.nextafter(np.frombuffer(each.packed), towards).tobytes()
            session.execute(update(Block).values(made_at=utc_now()))
        assert [_pages(platform, campaign, each) for each in asked] == before


def test_a_run_that_failed_is_in_no_answer(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=all_but({3: "failed"}))
    before = answers(platform, campaign, ASKED)
    assert _make_all(platform, 6) == 2
    assert answers(platform, campaign, ASKED) == before


def test_a_block_waits_for_the_last_of_its_runs(platform: Platform, made: Made) -> None:
    store(platform, made, state_of=all_but({7: "running"}))
    assert _make_all(platform, 4) == 1
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.position == 7).values(state="failed"))
    assert _make_all(platform, 4) == 2


def test_runs_that_begin_again_leave_no_block_behind(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=all_but({3: "failed"}))
    assert _make_all(platform, 6) == 2
    _rerun(platform, campaign)
    assert _made(platform) == 0
    assert _make_all(platform, 6) == 0, "one of its runs is queued"


def test_a_result_that_is_replaced_leaves_no_block_behind(platform: Platform, made: Made) -> None:
    store(platform, made, state_of=all_but({3: "invalid"}))
    assert _make_all(platform, 6) == 2
    with platform.sessions.begin() as session:
        run = session.scalars(select(Run).where(Run.position == 3)).one()
        result_id = session.scalars(select(Result.id).where(Result.key == run.key)).one()
        end = Ending(table.REPLACE, "succeeded", "", result_id, run.id, 1.0)
        end_with_results(session, {run.key: end})
    assert _made(platform) == 0
    assert _make_all(platform, 6) == 2


def test_what_changes_while_a_block_is_made_is_not_in_it(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=all_but({3: "failed"}))
    begun = 0

    class Between:
        """Sessions that run the campaign's failed run again before the block is read."""

        def __call__(self) -> Session:
            return platform.sessions()

        def begin(self) -> Any:
            nonlocal begun
            begun += 1
            if begun == 2:
                _rerun(platform, campaign)
            return platform.sessions.begin()

    assert make_next(cast("sessionmaker[Session]", Between()), 6)
    assert begun == 2
    assert _made(platform) == 0


def test_a_block_that_nobody_finished_is_made_later(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    before = answers(platform, campaign, ASKED)
    with platform.sessions.begin() as session:
        session.add(Block(campaign_id=campaign, number=0, end=6))
    assert answers(platform, campaign, ASKED) == before
    assert _make_all(platform, 6) == 1
    assert answers(platform, campaign, ASKED) == before, "the first one is not there yet"
    with platform.sessions.begin() as session:
        long_ago = utc_now() - timedelta(hours=1)
        session.execute(update(Block).where(Block.number == 0).values(made_at=long_ago))
    assert _make_all(platform, 6) == 1
    assert _made(platform) == 2
    assert answers(platform, campaign, ASKED) == before


def test_runs_of_many_clients_are_left_as_rows(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    before = answers(platform, campaign, ASKED)
    assert make_next(platform.sessions, 6, most_rows=17)
    assert _made(platform) == 0
    assert answers(platform, campaign, ASKED) == before


def _rerun(platform: Platform, campaign: uuid.UUID) -> None:
    answer = platform.client("submit").post(
        f"/api/v1/campaigns/{campaign}/rerun", json={"only": ["failed"]}
    )
    assert answer.status_code == 200, answer.text
