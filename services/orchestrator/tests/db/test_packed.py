"""Columns of numbers, and documents, out of either database."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import BigInteger, Float, Integer, literal, select, union_all
from weir_orchestrator.db import Combination
from weir_orchestrator.db.packed import columns, documents
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import expand_all, submit

ROWS = [
    (-(2**63), 7, 0.1),
    (2**63 - 1, -7, 1 / 3),
    (0, 2**31 - 1, -5e-324),
    (6364136223846793005, 0, 1.7976931348623157e308),
]


@pytest.mark.parametrize("count", [4, 1, 0])
def test_every_digit_of_every_number_is_kept(platform: Platform, count: int) -> None:
    each = [
        select(
            literal(large, BigInteger).label("large"),
            literal(small, Integer).label("small"),
            literal(real, Float).label("real"),
        )
        for large, small, real in ROWS
    ]
    given = union_all(*each).subquery()
    query = select(given).where(given.c.large.in_([row[0] for row in ROWS[:count]]))
    with platform.app.state.reading() as session:
        found = columns(session, query)
    assert [each.dtype for each in found] == [np.int64, np.int64, np.float64]
    assert sorted(zip(*(each.tolist() for each in found), strict=True)) == sorted(ROWS[:count])


def test_documents_are_as_they_were_written(platform: Platform) -> None:
    client = platform.client("submit")
    submit(client)
    expand_all(platform)
    query = select(Combination.number, Combination.levels, Combination.experiment)
    with platform.app.state.reading() as session:
        written = [tuple(row) for row in session.execute(query.order_by(Combination.number))]
        found = [tuple(row) for row in documents(session, query)]
        none = documents(session, query.where(Combination.number < 0))
    assert len(written) > 1
    assert sorted(found, key=lambda row: row[0]) == written
    assert list(none) == []


def test_a_campaign_without_results_has_no_numbers(platform: Platform) -> None:
    client = platform.client("submit")
    campaign = submit(client)["id"]
    for asked in ({}, {"client": 1}):
        answer = client.get(
            f"/api/v1/campaigns/{campaign}/aggregate",
            params={"metric": "mean_bitrate_bps", **asked},
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["groups"] == []
