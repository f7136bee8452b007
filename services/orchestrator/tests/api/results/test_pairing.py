"""Differences of groups that pool other factors: like is compared with like."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from weir import stats
from weir_orchestrator.api.results.compared import compared
from weir_orchestrator.api.results.pairing import Column, levelled, pooled_levels
from weir_orchestrator.api.results.queries import Measured
from weir_orchestrator.api.runs.rows import Name

CC, PLAYER = "server.congestion_control", "clients.0.player"
LEVELS = {
    number: {PLAYER: player, CC: cc}
    for number, (player, cc) in enumerate(
        [("bola", "reno"), ("bola", "vegas"), ("dynamic", "reno"), ("dynamic", "vegas")]
    )
}


def _groups(*runs: tuple[int, int, float], pooled: bool = True) -> list[Column]:
    """Of bola and dynamic; runs: (combination, seed, value)."""
    combination, seed, value = (np.array(each) for each in zip(*runs, strict=True))
    columns: dict[Name, Any] = {
        "combination": combination,
        "seed": seed,
        "digest": np.arange(len(runs)),
    }
    found = Measured(columns, value.astype(np.float64))
    alike = pooled_levels(LEVELS, [PLAYER]) if pooled else {}
    return list(levelled((found, LEVELS), [PLAYER], alike).values())


def difference(a: Column, b: Column) -> stats.Paired:
    (found,) = compared([(a, b)])
    return found.difference


def test_runs_without_a_counterpart_do_not_count() -> None:
    """As while a campaign goes on, or where runs failed: dynamic has no vegas yet."""
    half = [(0, 1, 10.0), (0, 2, 20.0), (1, 1, 2.0), (1, 2, 4.0), (2, 1, 11.0), (2, 2, 22.0)]
    found = difference(*_groups(*half))
    assert (found.n, found.distinct, found.difference) == (2, 2, 1.5)
    assert (found.mean_a, found.mean_b) == (15, 16.5)
    whole = difference(*_groups(*half, (3, 1, 2.0), (3, 2, 4.0)))
    assert (whole.n, whole.mean_a, whole.difference) == (2, 9, 0.75)
    one_seed_less = difference(*_groups(*half, (3, 1, 2.0)))
    assert (one_seed_less.n, one_seed_less.difference) == (2, (0.5 + 2) / 2)


def test_groups_that_share_nothing_have_no_difference() -> None:
    found = difference(*_groups((0, 1, 10.0), (3, 1, 11.0)))
    assert found.n == 0 and math.isnan(found.difference)


def test_factors_of_no_account_are_only_averaged_over() -> None:
    found = difference(*_groups((0, 1, 10.0), (3, 1, 11.0), pooled=False))
    assert (found.n, found.difference) == (1, 1)


def test_many_pairs_are_compared_as_each_alone() -> None:
    random = np.random.default_rng(1)
    runs = [
        (int(random.integers(4)), int(random.integers(30)), float(random.normal()))
        for _ in range(200)
    ]
    one, other = _groups(*runs[:120]), _groups(*runs[80:])
    pairs = [(a, b) for a in (*one, *other) for b in (*one, *other)]
    together = list(compared(pairs))
    assert together == [found for pair in pairs for found in compared([pair])]
    for (a, _), found in zip(pairs, together, strict=True):
        assert found.a == stats.summary(a.found.value[a.members])
