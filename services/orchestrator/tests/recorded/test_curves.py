"""Points of curves: peaks and troughs, or values at even moments."""

from __future__ import annotations

import numpy as np
from weir_orchestrator.recorded.curves import Window, drawn

TIMES = np.array([1.0, 2.0, 2.1, 4.0])
VALUES = np.array([10.0, 20.0, 90.0, 30.0])


def test_even_steps_hold_and_begin_with_the_first_point() -> None:
    curve = drawn("cwnd", "segments", "step", TIMES, VALUES, Window(0.0, 5.0, 6, even=True))
    assert curve.t_s == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert curve.values == [10.0, 20.0, 90.0, 30.0, 30.0]
    assert curve.samples == 4


def test_even_lines_go_straight_and_end_with_the_last_point() -> None:
    curve = drawn("buffer", "s", "line", TIMES, VALUES, Window(0.0, 5.0, 11, even=True))
    assert curve.t_s == [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    assert curve.values[:3] == [10.0, 15.0, 20.0]
    assert curve.values[-1] == 30.0


def test_of_nothing_recorded_there_is_nothing_at_even_moments() -> None:
    nothing = np.array([])
    for shape in ("line", "step"):
        assert drawn("buffer", "s", shape, nothing, nothing, Window(0.0, 5.0, 11, True)).t_s == []
