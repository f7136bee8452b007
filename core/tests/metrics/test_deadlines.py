"""Late segments and the least margin, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from weir.metrics import compute
from weir.rundir import RunData
from weir_testing.metrics import experiment, player


def measured(after_s: float, segments: int, length_s: float) -> dict[str, Any]:
    """Segments of 2 s are asked for at 0, 2, 4, ... s; the test's player has each 1 s later."""
    asked = experiment([(0, None)], 20.0)
    asked["clients"][0]["deadlines"] = {"after_s": after_s, "length_s": length_s}
    rows = player([1] * segments)
    rows["last_byte_s"] = rows["request_s"] + 1.0
    return compute(RunData(asked, [rows]))["clients"][0]


@pytest.mark.parametrize(
    ("after_s", "segments", "late", "margin_s"),
    [
        (5.0, 5, 0, 6.0),  # segment n comes at 2n + 1 s and is due at 2n + 7 s
        (-1.0, 5, 0, 0.0),  # to the very moment
        (-1.5, 5, 5, -0.5),
        (0.0, 3, 2, -12.0),  # two never come; they were due at 8 and 10 s, and the run ends at 20 s
        (12.0, 4, 0, 13.0),  # the last was due after the run: nobody can tell
    ],
)
def test_by_hand(after_s: float, segments: int, late: int, margin_s: float) -> None:
    got = measured(after_s, segments, 10.0)
    assert got["late_segments"] == late
    told = 4 if after_s == 12.0 else 5
    assert got["late_percent"] == pytest.approx(100 * late / told)
    assert got["least_margin_s"] == pytest.approx(margin_s)


def test_without_deadlines_there_are_none() -> None:
    data = RunData(experiment([(0, None)], 20.0), [player([1] * 5)])
    got = compute(data)["clients"][0]
    assert got["late_segments"] is None and got["least_margin_s"] is None
