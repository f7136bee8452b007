"""bba0 to bba3, worked by hand. Ladder 1, 2, 4 Mbit/s, segments of 2 s, buffer 240 s.

Sizes are given as rates: a segment of rate x has 2 x / 8 bytes.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.spec.players import completed
from weir_client import abr
from weir_client.abr import bba
from weir_client.state import Download, State

LADDER = (1e6, 2e6, 4e6)
V = 2.0


class Session:
    """A player's state, moved by hand. `rates`: [level][segment] in Mbit/s; None: constant."""

    def __init__(
        self, name: str, rates: list[list[float]] | None = None, ladder: tuple[float, ...] = LADDER,
        **options: Any,
    ) -> None:  # fmt: skip
        self.abr: Any = abr.make(name, None, completed(name, options), ladder, 1)
        self.state = State(
            240.0, V,
            lambda level, segment: round(
                (ladder[level] if rates is None else rates[level][segment] * 1e6) * V / 8
            ),
            lambda: 0.0,
            None if rates is None else len(rates[0]),
        )  # fmt: skip

    def choose(self, buffer_s: float, took_s: float = 0.5) -> int:
        """The level for the next segment, which then takes took_s."""
        state = self.state
        state.buffer_s = buffer_s
        level: int = self.abr.choose(state)
        size = state.size_of(level, state.segment)
        state.last = Download(
            state.segment, level, size, request_s=state.now_s, first_byte_s=state.now_s,
            last_byte_s=state.now_s + took_s,
        )  # fmt: skip
        state.history.append(state.last)
        state.previous_level, state.now_s = level, state.now_s + took_s
        state.segment += 1
        return level


def test_map() -> None:
    # f = 1 + 3 (B - 10) / 126 Mbit/s: the middle of the cushion gives the middle rate.
    of = [bba.mapped(LADDER, buffer_s, 10.0, 126.0) for buffer_s in (0, 10, 52, 73, 136, 240)]
    assert of == pytest.approx([1e6, 1e6, 2e6, 2.5e6, 4e6, 4e6])


def reservoir_s(rates: list[float], lookahead_s: float, variant: str, segment: int = 0) -> float:
    state = Session("bba1", [rates] * 3).state
    state.segment = segment
    return bba.reservoir_s(state, LADDER[0], lookahead_s, variant)


def test_reservoir_by_hand() -> None:
    # At 1 Mbit/s a segment of 1.5 Mbit/s takes 3 s: in 12 s come 4 of them, 8 s of media, while
    # 12 s play: 4 s. Of 2 Mbit/s: 3 come, 6 s of media: 6 s.
    assert reservoir_s([1.5] * 400, 12.0, "livi-2017") == pytest.approx(4.0)
    assert reservoir_s([2.0] * 400, 12.0, "livi-2017") == pytest.approx(6.0)
    # Of 0.5 Mbit/s: 12 come in 12 s, more than play. At least 2 segments, or 8 s.
    assert reservoir_s([0.5] * 400, 12.0, "livi-2017") == 4.0
    assert reservoir_s([0.5] * 400, 12.0, "huang-2014") == 8.0
    # Of 1.5 Mbit/s in 480 s: 160 come, 320 s: 160 s is too much for either: 35 segments, or 140 s.
    assert reservoir_s([1.5] * 400, 480.0, "livi-2017") == 70.0
    assert reservoir_s([1.5] * 400, 480.0, "huang-2014") == 140.0
    # Two of 3 s, then 1 s each: in 12 s come 2 + 6, 16 s of media: the least.
    assert reservoir_s([1.5, 1.5] + [0.5] * 398, 12.0, "livi-2017") == 4.0
    # In 30 s come 10 segments, 20 s: 10 s. With 13 segments left, 26 s: 6 s.
    assert reservoir_s([1.5] * 400, 30.0, "livi-2017") == pytest.approx(10.0)
    assert reservoir_s([1.5] * 400, 30.0, "livi-2017", segment=387) == pytest.approx(6.0)
    # Endless constant content comes as fast as it plays.
    assert bba.reservoir_s(Session("bba1").state, 1e6, 480.0, "livi-2017") == 4.0


def test_bba0() -> None:
    # f = 1 + 3 (B - 90) / 126: 2 Mbit/s at 132 s, 4 at 216 s.
    play = Session("bba0")
    assert [play.choose(b) for b in (0, 90, 131, 133, 215, 216)] == [0, 0, 0, 1, 1, 2]
    # Down from 4 only when f <= 2: at 132 s f = 2, and the lowest rate above 2 is 4 itself;
    # below it, that of 1.98 is 2.
    assert [play.choose(b) for b in (200, 133, 132, 131)] == [2, 2, 2, 1]
    # Down from 2 only when f <= 1, that is in the reservoir.
    assert [play.choose(b) for b in (91, 90)] == [1, 0]


def test_bba0_goes_to_the_level_of_the_map_and_the_testbed_step_by_step() -> None:
    ladder = (1e6, 1.5e6, 2e6, 4e6)
    # At 140 s f = 1 + 3 * 50 / 126 = 2.19: the highest below it is 2 Mbit/s.
    assert Session("bba0", ladder=ladder).choose(140.0) == 2
    stepping = Session("bba0", ladder=ladder, variant="livi-2017")
    assert [stepping.choose(140.0) for _ in range(3)] == [1, 2, 2]


def test_bba1_compares_with_the_coming_segments() -> None:
    # Level 1: 2 Mbit/s on average, the segments 1, 3, 1, 3, ...; reservoir 4 s.
    rates = [[1.0] * 300, [1.0, 3.0] * 150, [4.0] * 300]
    play = Session("bba1", rates)
    # f = 1 + 3 (B - 4) / 126: 2 at 46 s, 3 at 88 s.
    assert play.choose(3.0) == 0  # in the reservoir; the coming one is small
    assert play.choose(50.0) == 0  # f = 2.1 < 3, as segment 1 is large
    assert play.choose(50.0) == 1  # 2.1 >= 1, as segment 2 is small
    assert play.choose(50.0) == 1  # large, but down only if f <= 1
    assert play.choose(129.0) == 1  # f = 3.98 < 4
    assert play.choose(130.0) == 2  # the cushion is full
    assert play.choose(89.0) == 2  # segment 6: f = 3.02 > 1, the rate of level 1 here
    assert play.choose(87.0) == 1  # segment 7: f = 2.98 <= 3


def test_startup_of_the_testbed() -> None:
    # r = 4, x = B / 130. A segment of 1 Mbit/s plays 2 s; at bandwidth bw it takes 2 / bw.
    play = Session("bba2")
    assert play.choose(0.0, took_s=0.24) == 0  # 8.33 times its rate
    assert play.choose(2.0, took_s=0.26) == 1  # 8.33 > 8 - 6 * 2/130 = 7.91: up
    assert play.choose(3.74, took_s=0.25) == 1  # 7.69 < 8 - 6 * 3.74/130 = 7.83: not
    assert play.choose(5.49, took_s=0.5) == 2  # 8 > 7.75: up
    assert play.abr.starting
    assert play.choose(7.0, took_s=2.5) == 2  # there is no level above
    # 2.5 s for 2 s of media: the buffer fell. The map decides for good: at 6.5 s f = 1.06 <= 2.
    assert play.choose(6.5, took_s=0.1) == 1
    assert not play.abr.starting
    assert play.choose(8.4, took_s=0.1) == 1  # 20 times its rate, but the map says f = 1.1


def test_startup_ends_when_the_map_asks_for_more() -> None:
    play = Session("bba2")
    for buffer_s in (0.0, 1.5, 3.0, 44.0):
        assert play.choose(buffer_s, took_s=1.0) == 0  # 2 times its rate never suffices
    assert play.abr.starting
    assert play.choose(46.5) == 1 and not play.abr.starting  # f = 2.01 >= 2


def test_startup_of_the_publication() -> None:
    # r = 8, x = B / 134 = 0.5 at 67 s: gain > (0.875 - 0.1875) * 2 s = 1.375, so took < 0.625 s;
    # in terms of rate 3.2, where the testbed has 8 - 3 = 5, so took < 0.4 s.
    # (f = 1 + 3 * 59/126 = 2.40 there, so the ladder's level 1 must be above that.)
    for took_s, huang, livi in ((0.62, 1, 0), (0.63, 0, 0), (0.39, 1, 1)):
        for variant, level in (("huang-2014", huang), ("livi-2017", livi)):
            play = Session("bba2", ladder=(1e6, 3e6, 4e6), variant=variant)
            play.choose(0.0, took_s=took_s)
            assert play.choose(67.0 if variant == "huang-2014" else 65.0) == level, variant
            assert play.abr.starting


def test_bba3_waits_for_the_mean_of_what_is_in_the_buffer() -> None:
    # Level 1: a small segment, then large ones; B = 50 s holds 25 segments, f = 2.1.
    rates = [[1.0] * 300, [1.0] * 2 + [3.0] * 298, [4.0] * 300]
    for name, level in (("bba2", 1), ("bba3", 0)):
        play = Session(name, rates)
        play.choose(0.0, took_s=2.5)
        # Segment 1 at level 1 has 1 Mbit/s; the next 25 have (1 + 24 * 3) / 25 = 2.92 > 2.1.
        assert play.choose(50.0) == level
    # At 87 s f = 2.976 >= (1 + 42 * 3) / 43 = 2.953.
    play = Session("bba3", rates)
    play.choose(0.0, took_s=2.5)
    assert play.choose(87.0) == 1


def test_the_reservoir_of_bba3_never_shrinks() -> None:
    # The first 100 segments are large at the lowest rate, then small ones: r falls in bba2.
    rates = [[1.2] * 100 + [0.5] * 200, [2.0] * 100 + [1.1] * 200, [4.0] * 300]
    for name, level in (("bba2", 1), ("bba3", 0)):
        # In 60 s: 25 segments of 2.4 s, 50 s: r = 10 s, and f = 2 at 52 s.
        play = Session(name, rates, lookahead_s=60.0)
        play.choose(0.0, took_s=2.5)
        assert [play.choose(buffer_s) for buffer_s in (51.9, 52.1)] == [0, 1]
        # Then 60 segments of 1 s: r = 2 segments, 4 s, and f = 1.14 >= 1.1; or 10 s still.
        play.state.segment, play.state.previous_level = 150, 0
        assert play.choose(9.9) == level


@pytest.mark.parametrize("name", ["bba1", "bba2", "bba3"])
def test_at_the_end_of_the_film(name: str) -> None:
    play = Session(name, [[1.0] * 3, [2.0] * 3, [4.0] * 3])
    assert [play.choose(buffer_s) for buffer_s in (0.0, 100.0, 230.0)] == [0, 1, 2]


sessions = st.lists(st.tuples(st.floats(0, 240), st.floats(0.01, 20)), min_size=1, max_size=40)


@given(
    st.sampled_from(["bba0", "bba1", "bba2", "bba3"]),
    st.sampled_from(["livi-2017", "huang-2014"]),
    st.integers(0, 1000),
    sessions,
)
def test_levels_stay_in_the_ladder(
    name: str, variant: str, seed: int, steps: list[tuple[float, float]]
) -> None:
    noise = [0.3 + ((seed + 7) * (k + 3) * 2654435761 % 1000) / 700 for k in range(60)]
    play = Session(name, [[rate / 1e6 * x for x in noise] for rate in LADDER], variant=variant)
    before = 0
    for buffer_s, took_s in steps:
        level = play.choose(buffer_s, took_s)
        assert 0 <= level < len(LADDER)
        if variant == "livi-2017" and level not in (0, len(LADDER) - 1):
            assert abs(level - before) <= 1  # only the ends of the map are reached in a jump
        before = level


@given(st.floats(0, 240), st.floats(0, 240))
def test_bba0_and_bba1_rise_with_the_buffer(low: float, high: float) -> None:
    low, high = min(low, high), max(low, high)
    for name in ("bba0", "bba1"):
        for variant in ("livi-2017", "huang-2014"):
            below, above = (Session(name, variant=variant) for _ in range(2))
            assert below.choose(low) <= above.choose(high)
