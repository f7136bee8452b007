"""classic1 and classic2, worked by hand. Ladder 1, 2, 4 Mbit/s, segments of 2 s."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.spec.players import completed
from weir_client import abr
from weir_client.state import Download, State

LADDER = (1e6, 2e6, 4e6)


class Session:
    """A player's state, moved by hand; `level` is the one chosen last."""

    def __init__(self, name: str, **options: Any) -> None:
        self.abr: Any = abr.make(name, None, completed(name, options), LADDER, 1)
        self.state = State(240.0, 2.0, lambda level, segment: 0, lambda: 0.0)
        self.level: int = self.abr.choose(self.state)

    def next(self, size_mbit: float, wait_s: float, took_s: float) -> int:
        """Download so much in took_s after wait_s; the level chosen after that."""
        state = self.state
        first = state.now_s + wait_s
        state.last = Download(
            state.segment, self.level, round(size_mbit * 1e6 / 8), request_s=state.now_s,
            first_byte_s=first, last_byte_s=first + took_s,
        )  # fmt: skip
        state.history.append(state.last)
        state.previous_level, state.now_s = self.level, state.last.last_byte_s
        state.segment += 1
        self.level = self.abr.choose(state)
        return self.level


def test_classic1() -> None:
    play = Session("classic1")
    # 2 Mbit in 0.1 + 0.3 s: 5 Mbit/s. avg = 0.8 * 5 = 4: target 2, but one step: 1.
    assert play.next(2, 0.1, 0.3) == 1
    assert play.abr.estimate_bps == pytest.approx(4e6)
    # 4 Mbit in 0.1 + 1.9 s: 2 Mbit/s. avg = (8 * 4 + 2 * 1.6) / 10 = 3.52: target 1.
    assert play.next(4, 0.1, 1.9) == 1
    assert play.abr.estimate_bps == pytest.approx(3.52e6)
    # 4 Mbit in 0.5 s: 8 Mbit/s. avg = (8 * 3.52 + 2 * 6.4) / 10 = 4.096: up to 2.
    assert play.next(4, 0.1, 0.4) == 2
    # 8 Mbit in 20 s: 0.4 Mbit/s. avg = (8 * 4.096 + 2 * 0.32) / 10 = 3.3408: target 1.
    assert play.next(8, 0.1, 19.9) == 1
    assert play.abr.estimate_bps == pytest.approx(3.3408e6)


def test_classic2_does_not_count_the_wait() -> None:
    play = Session("classic2")
    # 2 Mbit in 0.5 s after 0.5 s: 4 Mbit/s (classic1: 2). avg = 3.2: target 1 (classic1: 1.6, 0).
    assert play.next(2, 0.5, 0.5) == 1
    assert play.abr.estimate_bps == pytest.approx(3.2e6)
    assert Session("classic1").next(2, 0.5, 0.5) == 0
    # In one piece: nothing to measure, the average stays.
    assert play.next(2, 0.5, 0.0) == 1
    assert play.abr.estimate_bps == pytest.approx(3.2e6)


def test_below_the_lowest_rate_the_testbed_keeps_its_level() -> None:
    for below, levels in (("hold", [1, 1, 1, 1]), ("lowest", [1, 1, 0, 0])):
        play = Session("classic1", below_lowest=below)
        # 3.75 Mbit/s: avg 3, level 1; then nearly nothing, 0.01 Mbit/s: 0.8 * 3 + 0.0016 = 2.40,
        assert play.next(3.75, 0.0, 1.0) == levels[0]
        assert play.next(1, 0.0, 100.0) == levels[1]
        play.abr.estimate_bps = 1.2e6
        # 0.8 * 1.2 + 0.0016 = 0.96 < 1: no rate fits.
        assert play.next(1, 0.0, 100.0) == levels[2]
        assert play.next(1, 0.0, 100.0) == levels[3]


@given(
    st.sampled_from(["classic1", "classic2"]),
    st.sampled_from(["hold", "lowest"]),
    st.lists(st.tuples(st.floats(0.001, 100), st.floats(0, 5), st.floats(0, 50)), max_size=30),
)
def test_never_more_than_one_step(
    name: str, below: str, downloads: list[tuple[float, float, float]]
) -> None:
    play = Session(name, below_lowest=below)
    before = 0
    for size, wait_s, took_s in downloads:
        level = play.next(size, wait_s, took_s)
        assert 0 <= level < len(LADDER) and abs(level - before) <= 1
        before = level
