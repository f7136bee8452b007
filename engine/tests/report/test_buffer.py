"""The drawn buffer is the player's own at every moment, in stalls too."""

from __future__ import annotations

import numpy as np
import pytest
from weir.metrics.playback import Playback
from weir.rundir import Columns
from weir_client.buffer import PlaybackBuffer
from weir_client.player import WHOLE
from weir_engine.report.buffer import buffer_curve, live_buffer_curve

SEGMENT_S = 2.0


def play(startup_s: float, resume_s: float, seed: int) -> tuple[Columns, list[float], list[float]]:
    """Rows of 60 segments, some slow, some failed; and the level that the buffer had in between."""
    rng = np.random.default_rng(seed)
    player = PlaybackBuffer(1.0, startup_s, resume_s)
    rows: dict[str, list[float]] = {name: [] for name in (
        "request_s", "last_byte_s", "buffer_before_s", "buffer_after_s", "stall_s", "status",
    )}  # fmt: skip
    times, levels, stalled, now = [], [], 0.0, 1.0
    for _ in range(60):
        request = now + float(rng.choice([0.0, 0.5]))
        last = request + float(rng.choice([0.4, 1.5, 6.0]))
        status = float(rng.choice([WHOLE, WHOLE, WHOLE, 503]))
        for end, column in ((request, "buffer_before_s"), (last, None)):
            for at in np.linspace(player.now_s, end, 23)[1:-1]:
                player.advance(float(at))
                times.append(float(at))
                levels.append(player.level_s)
            player.advance(end)
            if column is not None:
                rows[column].append(player.level_s)
        if status == WHOLE:
            player.add(SEGMENT_S)
        said = (
            ("request_s", request), ("last_byte_s", last), ("buffer_after_s", player.level_s),
            ("stall_s", player.stalled_s - stalled), ("status", status),
        )  # fmt: skip
        for name, value in said:
            rows[name].append(value)
        stalled, now = player.stalled_s, last
    return {name: np.array(values) for name, values in rows.items()}, times, levels


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("startup_s", "resume_s"), [(0.0, 0.0), (6.0, 0.0), (4.0, 4.0)])
def test_the_curve_is_the_buffer(startup_s: float, resume_s: float, seed: int) -> None:
    rows, times, levels = play(startup_s, resume_s, seed)
    assert rows["stall_s"].sum() > 5
    t, y = buffer_curve(rows, SEGMENT_S)
    assert (np.diff(t) >= 0).all()
    first = np.searchsorted(times, t[0])
    np.testing.assert_allclose(np.interp(times[first:], t, y), levels[first:], atol=1e-9)


def test_a_stall_is_drawn_at_zero_until_the_segment_comes() -> None:
    row = {"request_s": 10.0, "last_byte_s": 16.0, "buffer_before_s": 2.0, "buffer_after_s": 2.0,
           "stall_s": 4.0, "status": WHOLE}  # fmt: skip
    t, y = buffer_curve({name: np.array([value]) for name, value in row.items()}, SEGMENT_S)
    assert list(zip(t, y, strict=True)) == [(10, 2), (12, 0), (16, 0), (16, 2)]


def test_of_a_live_film_it_is_what_is_known_of_it() -> None:
    row = {"request_s": 10.0, "last_byte_s": 12.0, "buffer_before_s": 2.0, "buffer_after_s": 2.5}
    rows = {name: np.array([value]) for name, value in row.items()}
    times_s, levels_s = np.array([11.0, 12.5]), np.array([1.5, 2.0])
    playback = Playback(times_s, times_s, times_s, levels_s, 30.0)
    found = [list(zip(*live_buffer_curve(rows, each), strict=True)) for each in (playback, None)]
    assert found == [[(10, 2), (11, 1.5), (12, 2.5), (12.5, 2)], [(10, 2), (12, 2.5)]]
