"""shaka-player itself, in Node.js in a guest: on real TCP, by the virtual clock."""

from __future__ import annotations

import numpy as np
import pytest
from weir_testing.cells import LADDER_BPS, Runner, broken, experiment
from weir_testing.node_players import FILM, FILM_S, WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]


def test_it_plays_a_film_to_its_end(run_once: Runner) -> None:
    result = run_once(experiment(FILM, itself("shaka")), wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    (found,) = result.data.players
    whole = found["status"] == 206
    # What it drops for a higher level may have come whole.
    assert set(found["segment"][whole]) == set(range(5))
    sizes = np.array([round(LADDER_BPS[level] * 2.0 / 8) for level in found["level"]])
    assert np.all(found["size_bytes"][whole] == sizes[whole])
    assert found["stall_s"].sum() == 0
    # One round trip of 100 ms from a request to its first byte, and more where it connects first.
    assert np.all(found["first_byte_s"] - found["request_s"] >= 0.0999)
    notes = [each["level"] for each in result.data.events if each["event"] == "level-chosen"]
    assert notes and set(found["level"]) == set(notes)


def test_settings_take_effect(run_once: Runner) -> None:
    settings = {"streaming": {"bufferingGoal": 4}, "abr": {"enabled": False}}
    asked = experiment({"duration_s": FILM_S}, itself("shaka", settings))
    (bound,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    assert len(set(bound["level"])) == 1
    assert bound["buffer_before_s"].max() <= 4 and bound["buffer_after_s"].max() <= 4 + 2


def test_a_segment_that_it_takes_back_breaks_off(run_once: Runner) -> None:
    """What it has begun to fetch ahead, it drops for a higher level: while that is coming."""
    settings = {"abr": {"switchInterval": 2, "defaultBandwidthEstimate": 3e5}}
    asked = experiment({"duration_s": 20.0}, itself("shaka", settings))
    (found,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    (at,) = np.nonzero(found["status"][:-1] == 0)
    assert len(at)
    for lost in at:
        again = found["segment"][lost + 1 :] == found["segment"][lost]
        assert found["level"][lost + 1 :][again][0] > found["level"][lost]
