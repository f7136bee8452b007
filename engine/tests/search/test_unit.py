"""In which unit a found level is told."""

from __future__ import annotations

from typing import Any

import pytest
from weir.spec.search import Search
from weir_engine.search.unit import unit_of


@pytest.mark.parametrize(
    ("first", "last", "step", "unit"),
    [
        ("800kbit/s", "2Mbit/s", "200kbit/s", "bit/s"),
        ("10ms", "1s", "10ms", "s"),
        ("10packets", "20packets", "1packets", "bytes"),
        ("1bdp", "8bdp", "1bdp", "bdp"),
        ("10%", "20%", "1%", ""),
        (1, 100, 1, ""),
    ],
)
def test_a_level_has_the_unit_of_its_number(first: Any, last: Any, step: Any, unit: str) -> None:
    search = Search.model_validate(
        {
            "factor": "gateway.downlink.rate",
            "from": first,
            "to": last,
            "step": step,
            "find": "smallest",
            "passes": {"metric": "stall_count", "at_most": 0},
        }
    )
    assert unit_of(search) == unit
