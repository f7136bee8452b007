"""Requests and responses: what is drawn, and was it so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir_lab import responses
from weir_testing.spec import resolved


def flow(**fields: Any) -> Any:
    base = {"kind": "request-response", "size": "20kB", "think": "2s", "stop": "100s"}
    return resolved(traffic=[{**base, **fields}])["traffic"][0]


def test_there_are_enough_for_a_path_without_delay_and_no_more() -> None:
    assert responses.drawn(flow(), 1) == [(20_000, 2.0)] * 50


def test_draws_follow_from_the_seed_and_the_distribution() -> None:
    think = {"distribution": "exponential", "mean": "20ms", "at_most": "10s"}
    size = {"distribution": "uniform", "at_least": "10kB", "at_most": "30kB"}
    drawn = responses.drawn(flow(think=think, size=size), 7)
    assert drawn == responses.drawn(flow(think=think, size=size), 7)
    assert drawn != responses.drawn(flow(think=think, size=size), 8)
    sizes, thinks_s = np.array(drawn).T
    assert len(drawn) == pytest.approx(100 / 0.02, rel=0.1)
    assert sizes.mean() == pytest.approx(20e3, rel=0.02)
    assert thinks_s.mean() == pytest.approx(0.02, rel=0.1)


def test_what_came_is_held_against_what_was_drawn() -> None:
    asked = {3: [(1000, 2.0), (3000, 4.0), (500, 1.0)]}
    came: list[responses.Came] = [(0.0, 0.5, 1000), (2.5, 3.0, 3000)]
    size, think = responses.checks(asked, {3: came})
    assert (size["name"], size["asked"], size["measured"]) == (
        "traffic_3_response_bytes",
        4000,
        4000,
    )
    assert (think["name"], think["asked"], think["measured"]) == ("traffic_3_think_s", 2.0, 2.0)
    assert size["ok"] and think["ok"]
    hasty = responses.checks(asked, {3: [came[0], (2.4, 3.0, 2000)]})
    assert [one["ok"] for one in hasty] == [False, False]


def test_nothing_that_came_is_no_pause() -> None:
    (size,) = responses.checks({1: [(9, 1.0)]}, {1: []})
    assert size["ok"]


def test_each_response_is_an_event() -> None:
    (event,) = responses.events({2: [(1.5, 2.0, 700)]})
    assert event == {"t_s": 2.0, "event": "response", "traffic": 2, "requested_s": 1.5,
                     "size_bytes": 700}  # fmt: skip
