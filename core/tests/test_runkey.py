from __future__ import annotations

import hashlib
import math
from pathlib import Path

import pytest
from weir.expand import Expansion
from weir.runkey import canonical_json, key_of_seed, run_key
from weir.spec.load import load_campaign


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


def test_keys_by_seed_hash_the_same_text_as_written_out() -> None:
    experiment = {"duration_s": 20.0, "clients": [{"player": "bola"}]}
    for seed in (0, 1, 2**62):
        content = {"experiment": experiment, "kernel": "k", "roles": "r", "seed": seed}
        whole = hashlib.sha256(canonical_json(content).encode()).hexdigest()[:32]
        assert key_of_seed(experiment, "k", "r")(seed) == whole
        assert run_key(experiment, seed, "k", "r") == whole


def test_what_the_quickstart_ran_before_is_found_again() -> None:
    """Whatever an experiment may name since: what names none of it keeps its keys."""
    campaign = load_campaign(Path(__file__).parents[2] / "campaigns/quickstart.yaml")
    keys = [run_key(run.experiment, run.seed, "k", "r") for run in Expansion(campaign).runs()]
    assert len(keys) == 18
    assert hashlib.sha256("".join(keys).encode()).hexdigest()[:16] == "c370cf4ba2277741"
