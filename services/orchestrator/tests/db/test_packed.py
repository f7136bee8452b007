"""Columns of numbers out of either database."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import BigInteger, Float, Integer, literal, select, union_all
from weir_orchestrator.db.packed import columns
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import submit

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
