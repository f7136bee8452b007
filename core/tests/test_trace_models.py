"""Traces of wireless links: what their models state, and the same bytes for the same seed."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from weir.spec import conditions
from weir.trace_models import MODELS, MOST_S, as_csv

MEAN_BPS = 10e6


def columns_of(
    model: str, length_s: float = MOST_S, seed: int = 1
) -> dict[str, NDArray[np.float64]]:
    """Read as an experiment reads it: by column, in SI units, a value for each 0.1 s."""
    columns, period_s = conditions.rows(as_csv(model, MEAN_BPS, length_s, seed))
    assert period_s == length_s
    return {name: np.array([value for _, value in steps]) for name, steps in columns.items()}


@pytest.mark.parametrize("model", MODELS)
def test_the_mean_is_what_was_asked(model: str) -> None:
    rates_bps = columns_of(model)["rate_mbit"]
    assert len(rates_bps) == 10 * MOST_S
    assert rates_bps.mean() == pytest.approx(MEAN_BPS, rel=1e-4)
    assert rates_bps.min() >= 0


@pytest.mark.parametrize(
    ("model", "sha256"),
    [("lte", "dae8cf9d622ad953"), ("5g", "6efdc4b007edd2de"), ("leo", "ae06649277f299de")],
)
def test_a_seed_gives_the_same_bytes_everywhere_and_another_seed_others(
    model: str, sha256: str
) -> None:
    text = as_csv(model, MEAN_BPS, 60, seed=7)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == sha256
    assert text != as_csv(model, MEAN_BPS, 60, seed=8)


def test_lte_wanders_and_has_outages_of_a_second() -> None:
    rates_bps = columns_of("lte")["rate_mbit"]
    moving = (rates_bps[:-1] > 0) & (rates_bps[1:] > 0)
    per_root_s = np.diff(rates_bps)[moving].std() / np.sqrt(0.1)
    # 0.4 of the mean before what is cut at zero lifts the mean.
    assert 0.25 * MEAN_BPS < per_root_s < 0.4 * MEAN_BPS
    edges = np.flatnonzero(np.diff(np.concatenate([[0], rates_bps == 0, [0]])))
    outages_s = 0.1 * (edges[1::2] - edges[::2])
    assert len(outages_s) > 20
    assert outages_s.mean() == pytest.approx(1.05, rel=0.35)


def test_5g_is_blocked_a_fifth_of_the_time_at_a_tenth_of_the_rate() -> None:
    columns = columns_of("5g")
    blocked = columns["rtt_ms"] == 0.04
    assert set(columns["rtt_ms"]) == {0.025, 0.04}
    assert blocked.mean() == pytest.approx(0.2, abs=0.05)
    ratio = columns["rate_mbit"][blocked].mean() / columns["rate_mbit"][~blocked].mean()
    assert ratio == pytest.approx(0.1, rel=0.15)
    lossy = np.flatnonzero(columns["loss_percent"])
    changes = np.flatnonzero(np.diff(blocked)) + 1
    assert set(changes) <= set(lossy)


def test_leo_has_slots_of_15_s() -> None:
    columns = columns_of("leo")
    starts = np.flatnonzero(columns["loss_percent"] == 0.1)
    assert set(np.diff(starts)) == {150}
    rtts_s = columns["rtt_ms"]
    jumps_s = np.abs(np.diff(rtts_s))
    within = np.ones(len(jumps_s), bool)
    within[starts - 1] = False
    assert jumps_s[within].max() < 1e-4
    assert jumps_s[starts - 1].mean() > 3e-3
    assert 0.024 <= rtts_s.min() < rtts_s.max() <= 0.061
    slots = [columns["rate_mbit"][start:end].mean() for start, end in pairwise(starts)]
    assert np.log(slots).std() == pytest.approx(0.35, rel=0.25)
