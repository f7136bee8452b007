"""hls.js itself, in Node.js in a guest: on real TCP, by the virtual clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.hlsjs import VERSIONS
from weir_lab import players
from weir_testing.cells import LADDER_BPS, Runner, broken, client, experiment

pytestmark = pytest.mark.kernel

FILM_S = 14.0
FILM = {"content.segments": 5, "duration_s": FILM_S}
WALL_LIMIT_S = 900.0


@pytest.fixture(autouse=True)
def _kept() -> None:
    """Fails where it cannot be fetched; what is there is not fetched again."""
    players.fetch()


def itself(settings: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    options = {"version": VERSIONS[-1], "settings": settings or {}}
    return client("hlsjs", options=options, **fields)


def test_it_plays_a_film_to_its_end(run_once: Runner) -> None:
    result = run_once(experiment(FILM, itself()), wall_limit_s=WALL_LIMIT_S)
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
    asked = experiment({"duration_s": FILM_S}, itself(settings))
    (bound,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    assert bound["level"][0] == 0
    assert bound["buffer_before_s"].max() <= 4 and bound["buffer_after_s"].max() <= 4 + 2


def test_a_run_has_the_same_bytes_beside_dashjs_and_an_emulated_player(run: Runner) -> None:
    other = client("dashjs", options={"version": "5.2.1", "settings": {}})
    asked = experiment({"duration_s": 8.0}, itself(), other, client())
    first, second = (run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(2))
    assert not broken(first)
    for one, again in zip(first.data.players, second.data.players, strict=True):
        assert len(one["segment"]) >= 3
        for name, column in one.items():
            assert np.array_equal(column, again[name], equal_nan=True), name
    assert first.data.events == second.data.events
