"""Answers from rows, wherever their results are among others."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import inspect, select
from weir_orchestrator.db import Result, ResultValues, Run
from weir_testing.platform import Platform
from weir_testing.platform.results import CC, METRIC, SHAPING, Made, answers, read, store

FAR = 5000

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("aggregate", {"metric": METRIC, "rows": CC, "columns": SHAPING}),
    ("aggregate", {"metric": METRIC, "rows": CC, "client": 2}),
    ("aggregate", {"metric": "jain", f"level.{CC}": "reno"}),
    ("values", {"metric": METRIC, "rows": CC, "client": 1}),
    ("effects", {"metric": METRIC}),
]


def _move_a_result_far_away(platform: Platform, campaign: uuid.UUID) -> None:
    """As those are that are shared with an earlier campaign: with others' between them."""
    with platform.sessions.begin() as session:
        here = (Run.campaign_id == campaign, Run.position == 7)
        run = session.scalars(select(Run).where(*here)).one()
        old = session.get_one(Result, run.result_id)
        columns = {each.key: getattr(old, each.key) for each in inspect(Result).column_attrs}
        session.add(Result(**{**columns, "id": FAR, "key": "f" * 32}))
        session.flush()
        of_old = select(ResultValues).where(ResultValues.result_id == old.id)
        session.add_all(
            ResultValues(result_id=FAR, rank=each.rank, numbers=each.numbers)
            for each in session.scalars(of_old)
        )
        run.result_id = FAR


def test_answers_are_the_same_where_results_are_far_apart(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    before = answers(platform, campaign, ASKED)
    _move_a_result_far_away(platform, campaign)
    assert answers(platform, campaign, ASKED) == before


def test_others_results_between_are_in_no_answer(platform: Platform, made: Made) -> None:
    """The first run's of twelve, and the last one's: what is between is read with them."""
    campaign = store(platform, made)
    with platform.sessions.begin() as session:
        for run in session.scalars(select(Run).where(Run.position.in_((3, 4, 5)))):
            run.state = "invalid"
    (group,) = read(platform, f"/campaigns/{campaign}/aggregate", metric=METRIC)["groups"]
    assert group["n"] == 9
