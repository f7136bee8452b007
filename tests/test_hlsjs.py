"""hls.js itself, in Node.js in a guest: on real TCP, by the virtual clock."""

from __future__ import annotations

import numpy as np
import pytest
from weir_testing.cells import LADDER_BPS, Runner, broken, experiment
from weir_testing.node_players import FILM, FILM_S, WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]


def test_it_plays_a_film_to_its_end(run_once: Runner) -> None:
    result = run_once(experiment(FILM, itself("hlsjs")), wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    (found,) = result.data.players
    assert list(found["segment"]) == list(range(5)) and set(found["status"]) == {206}
    sizes = [round(LADDER_BPS[level] * 2.0 / 8) for level in found["level"]]
    assert list(found["size_bytes"]) == sizes
    assert found["stall_s"].sum() == 0
    # One round trip of 100 ms from a request to its first byte, and more where it connects first.
    assert np.all(found["first_byte_s"] - found["request_s"] >= 0.0999)
    notes = [each["level"] for each in result.data.events if each["event"] == "level-chosen"]
    assert set(found["level"]) == set(notes)


def test_settings_take_effect(run_once: Runner) -> None:
    settings = {"maxBufferLength": 4, "maxMaxBufferLength": 4, "startLevel": 0}
    asked = experiment({"duration_s": FILM_S}, itself("hlsjs", settings))
    (bound,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    assert bound["level"][0] == 0
    assert bound["buffer_before_s"].max() <= 4 and bound["buffer_after_s"].max() <= 4 + 2
