"""The playback buffer's arithmetic."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir_client.buffer import PlaybackBuffer

times = st.floats(0, 50, allow_nan=False)
steps = st.lists(st.tuples(st.sampled_from(["wait", "add"]), times), max_size=60)


@given(steps, times, times)
def test_conserves_media_and_time(
    moves: list[tuple[str, float]], startup_s: float, resume_s: float
) -> None:
    buffer = PlaybackBuffer(0.0, startup_s, resume_s)
    added = passed = 0.0
    for kind, amount in moves:
        if kind == "wait":
            passed += amount
            buffer.advance(passed)
        else:
            added += amount
            buffer.add(amount)
        assert buffer.level_s >= 0
        assert buffer.level_s + buffer.played_s == pytest.approx(added)
        assert buffer.waited_s + buffer.played_s + buffer.stalled_s == pytest.approx(passed)
        assert buffer.started or buffer.played_s == 0
        assert not buffer.playing or buffer.started


@given(st.lists(times, min_size=1, max_size=20), times)
def test_how_time_is_cut_does_not_matter(cuts: list[float], media_s: float) -> None:
    fine, coarse = PlaybackBuffer(0.0), PlaybackBuffer(0.0)
    fine.add(media_s)
    coarse.add(media_s)
    for cut in sorted(cuts):
        fine.advance(cut)
    coarse.advance(max(cuts))
    assert fine.level_s == pytest.approx(coarse.level_s)
    assert fine.stalled_s == pytest.approx(coarse.stalled_s)


def test_waits_plays_stalls_and_resumes() -> None:
    buffer = PlaybackBuffer(10.0, startup_s=4.0, resume_s=2.0)
    buffer.advance(11.0)
    buffer.add(2.0)  # 2 of 4 s
    buffer.advance(12.0)
    assert not buffer.started and buffer.waited_s == 2.0
    buffer.add(2.0)
    assert buffer.playing
    buffer.advance(15.0)
    assert buffer.level_s == 1.0 and buffer.played_s == 3.0
    buffer.advance(18.0)  # 1 s plays, 2 s stall
    assert not buffer.playing and buffer.stalled_s == 2.0 and buffer.level_s == 0.0
    buffer.add(1.0)  # not enough to resume
    buffer.advance(19.0)
    assert buffer.stalled_s == 3.0 and buffer.level_s == 1.0
    buffer.add(1.0)
    assert buffer.playing
    buffer.advance(18.5)  # the past changes nothing
    assert buffer.now_s == 19.0 and buffer.level_s == 2.0
