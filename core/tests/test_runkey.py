from __future__ import annotations

import math

import pytest
from weir.runkey import canonical_json, run_key


def test_canonical_json() -> None:
    assert canonical_json({"b": [1.0, 0.5, None], "a": "é"}) == '{"a":"\\u00e9","b":[1,0.5,null]}'
    assert canonical_json({"a": True}) != canonical_json({"a": 1})
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(math.nan)


def test_key_depends_on_everything_and_on_nothing_else() -> None:
    base = run_key({"rate": 8e6, "x": 1}, 1, "k", "r")
    assert run_key({"x": 1, "rate": 8_000_000}, 1, "k", "r") == base
    others = [
        run_key({"rate": 9e6, "x": 1}, 1, "k", "r"),
        run_key({"rate": 8e6, "x": 1}, 2, "k", "r"),
        run_key({"rate": 8e6, "x": 1}, 1, "kr", ""),
        run_key({"rate": 8e6, "x": 1}, 1, "k", "s"),
    ]
    assert len({base, *others}) == 5
    assert len(base) == 32
    # Stored runs are found by this value.
    assert run_key({}, 0, "", "") == "681a8b32bb782869cdb39becb65cc0ff"
