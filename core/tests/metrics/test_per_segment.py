"""Values of single segments, by hand."""

from __future__ import annotations

import numpy as np
from weir.metrics.per_segment import SEGMENT_VALUES
from weir_testing.metrics import player


def test_a_segment_that_broke_has_no_value() -> None:
    rows = player([0, 2, 1, 1])
    rows["raw_bps"] = np.array([1e6, 2e6, 3e6, np.nan])
    rows["estimate_bps"] = np.array([np.nan, 1e6, 2e6, 2.5e6])
    rows["status"] = np.array([206, 0, 206, 206], dtype=np.int16)
    assert SEGMENT_VALUES["raw_bps"].of(rows).tolist() == [1e6, 3e6]
    assert SEGMENT_VALUES["estimate_bps"].of(rows).tolist() == [2e6, 2.5e6]


def test_steps_are_between_neighbours_in_the_film() -> None:
    rows = player([0, 2, 1, 1])
    assert SEGMENT_VALUES["level_step"].of(rows).tolist() == [2, -1, 0]
    # The second and third are answered the other way round.
    swapped = {name: column[[0, 2, 1, 3]] for name, column in rows.items()}
    assert SEGMENT_VALUES["level_step"].of(swapped).tolist() == [2, -1, 0]
    assert SEGMENT_VALUES["level_step"].of(player([3])).tolist() == []
