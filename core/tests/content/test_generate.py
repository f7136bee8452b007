"""The generated film: what is stated about it holds, and it is the same everywhere."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.content import BadContent, generate, statistics_of

LADDER = [350e3, 470e3, 630e3, 845e3, 1130e3, 1520e3, 2040e3, 2750e3]
SEGMENT_S, SEGMENTS = 2.0, 300


def test_statistics_by_hand() -> None:
    of = statistics_of([[100, 300, 100, 300], [200, 600, 200, 600]], 2.0)
    assert of.mean_bps == [800.0, 1600.0]
    assert of.variation == [0.5, 0.5] and of.peak == [1.5, 1.5]
    # Deviations -100, 100, -100, 100: three products of -10^4 over a sum of squares of 4 * 10^4.
    assert of.lag1 == [-0.75, -0.75]
    assert of.across == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(1, 9))
def test_as_stated(seed: int) -> None:
    sizes = generate(LADDER, SEGMENT_S, SEGMENTS, seed=seed)
    assert [len(row) for row in sizes] == [SEGMENTS] * len(LADDER)
    for row, rate in zip(sizes, LADDER, strict=True):
        assert abs(sum(row) - rate * SEGMENT_S * SEGMENTS / 8) <= 1  # bytes, in the whole film
    of = statistics_of(sizes, SEGMENT_S)
    assert of.variation == pytest.approx([0.4] * 8, abs=1e-3)
    assert all(1.9 < peak <= 2.5 + 1e-4 for peak in of.peak)
    assert all(0.4 < lag1 < 0.85 for lag1 in of.lag1)
    assert 0.96 < of.across < 1.0


def test_seed_1_is_the_same_on_every_machine_and_for_ever() -> None:
    sizes = generate(LADDER, SEGMENT_S, SEGMENTS)
    text = json.dumps(sizes).encode()
    assert (
        hashlib.sha256(text).hexdigest()
        == "c725cc81ce91ca2de68eb2ea5b3057a2fa8387c8f8f6310249337384fadc090d"
    )
    assert sizes != generate(LADDER, SEGMENT_S, SEGMENTS, seed=2)
    # Every segment is larger at a higher level, as a player's map from rate to level expects.
    assert all(a < b for low, high in pairwise(sizes) for a, b in zip(low, high, strict=True))


def test_longer_scenes_correlate_more() -> None:
    lag1 = [
        statistics_of(generate([1e6], 2.0, 2000, scene_s=scene_s), 2.0).lag1[0]
        for scene_s in (2.0, 8.0, 30.0)
    ]
    assert abs(lag1[0]) < 0.1  # a scene per segment: independent
    assert lag1[0] < lag1[1] < lag1[2]


def test_without_variation_it_is_constant() -> None:
    assert generate([1e6, 2e6], 2.0, 3, variation=0.0) == [[250_000] * 3, [500_000] * 3]
    assert generate([1e6], 2.0, 1) == [[250_000]]


def test_what_cannot_be() -> None:
    with pytest.raises(BadContent, match="lower variation or raise peak"):
        generate([1e6], 2.0, 100, variation=3.0, peak=1.5)
    with pytest.raises(BadContent, match="at most 20000"):
        generate([1e6], 2.0, 20_001)
    with pytest.raises(BadContent, match="raise the ladder's rates"):
        generate([8.0], 0.001, 10)


@given(
    st.integers(0, 2**62), st.integers(2, 120), st.floats(0.0, 0.6), st.floats(1.2, 5.0),
    st.floats(1.0, 60.0), st.lists(st.floats(1e5, 2e7), min_size=1, max_size=4),
)  # fmt: skip
def test_every_film_keeps_its_rates_and_its_peak(
    seed: int, segments: int, variation: float, peak: float, scene_s: float, ladder: list[float]
) -> None:
    try:
        sizes = generate(ladder, 2.0, segments, seed=seed, variation=variation, peak=peak,
                         scene_s=scene_s)  # fmt: skip
    except BadContent:
        return
    for row, rate in zip(sizes, ladder, strict=True):
        mean = rate * 2.0 / 8
        assert sum(row) == pytest.approx(mean * segments, abs=1.0)
        assert max(row) <= peak * mean + 1.0 and min(row) > 0
