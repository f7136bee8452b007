"""Chromium itself, with dash.js in its page, in a guest: on real TCP, by the virtual clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.errors import RunFailure
from weir.rundir import Columns
from weir_lab.collect import CellResult
from weir_server import h264
from weir_testing.cells import LADDER_BPS, Runner, broken, client, experiment
from weir_testing.chromium import needs_chromium
from weir_testing.node_players import FILM, WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, needs_chromium, pytest.mark.usefixtures("kept_players")]

SHORT = {"duration_s": 6.0}
ONCE = {"streaming": {"buffer": {"fastSwitchEnabled": False}}}
"""Settings by which no segment is asked for again at a higher level, which may take the last of the
buffer's time."""


def browser(settings: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A client that is Chromium."""
    return client("chromium", options={"version": "5.2.1", "settings": settings or {}}, **fields)


def noted(result: CellResult, kind: str) -> list[Any]:
    return [each for each in result.data.events if each["event"] == kind]


def test_it_plays_a_film_to_its_end(run_once: Runner) -> None:
    result = run_once(experiment(FILM, browser(ONCE)), wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    (found,) = result.data.players
    assert list(found["segment"]) == list(range(5)) and set(found["status"]) == {206}
    sizes = [round(LADDER_BPS[level] * 2.0 / 8) for level in found["level"]]
    assert list(found["size_bytes"]) == sizes
    assert found["stall_s"].sum() == 0
    # What it fetched stands in the kernel's own record of its connection.
    (flow,) = result.data.flows
    assert set(found["connection"]) == {flow["remote_port"]}
    # One round trip of 100 ms from a request to its first byte.
    assert found["first_byte_s"] - found["request_s"] == pytest.approx(0.1, abs=0.005)
    assert found["buffer_after_s"].max() <= 30 + 2.0


def test_its_video_element_s_events_and_frames_are_noted(run_once: Runner) -> None:
    result = run_once(experiment(FILM, browser(ONCE)), wall_limit_s=WALL_LIMIT_S)
    names = [each["name"] for each in noted(result, "media")]
    assert "loadedmetadata" in names and names[-1] == "ended"
    (playing,) = [each for each in noted(result, "media") if each["name"] == "playing"]
    (ended,) = [each for each in noted(result, "media") if each["name"] == "ended"]
    assert (playing["speed"], ended["speed"]) == (1, 0)
    assert ended["media_s"] == pytest.approx(10.0, abs=0.01)
    # It plays by the clock, without a stall.
    assert ended["t_s"] - playing["t_s"] == pytest.approx(10.0, abs=0.05)
    (frames,) = noted(result, "frames")
    assert frames["t_s"] == pytest.approx(FILM["duration_s"], abs=0.05)
    assert (frames["frames"], frames["dropped_frames"]) == (100, 0)
    assert noted(result, "level-chosen")


def test_a_link_that_is_lost_stalls_it(run_once: Runner) -> None:
    # Half a minute of buffer would outlast it.
    outage = {
        "duration_s": 16.0,
        "gateway.downlink.rate_steps": [[0.0, 8e6], [4.0, 64e3], [12.0, 8e6]],
        "gateway.downlink.rate_loop_s": None,
    }
    result = run_once(experiment(outage, browser(buffer_s=4.0)), wall_limit_s=WALL_LIMIT_S)
    (found,) = result.data.players
    kinds = ("playing", "waiting")
    media = [each for each in noted(result, "media") if each["name"] in kinds]
    begun = next(index for index, each in enumerate(media) if each["name"] == "playing")
    # It may hesitate as it goes on.
    stalls = list(zip(media[begun + 1 :: 2], media[begun + 2 :: 2], strict=True))
    assert {(off["name"], on["name"]) for off, on in stalls} == {("waiting", "playing")}
    stalls_s = [on["t_s"] - off["t_s"] for off, on in stalls]
    waiting, again = stalls[stalls_s.index(max(stalls_s))]
    assert (waiting["speed"], again["speed"]) == (0, 1)
    # It waits from its last picture on, and for more than a moment.
    assert waiting["buffer_s"] <= 1.1 / h264.FRAMES_PER_S
    assert again["t_s"] - waiting["t_s"] > 1
    assert found["stall_s"].sum() == pytest.approx(sum(stalls_s), abs=0.01)


@pytest.mark.parametrize("repeats", [2, pytest.param(10, marks=pytest.mark.long)])
def test_a_run_has_the_same_bytes_again(run: Runner, repeats: int) -> None:
    asked = experiment({**SHORT, "gateway.path.rtt.stddev_s": 0.005}, browser())
    first, *others = (run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(repeats))
    assert len(first.data.players[0]["segment"]) > 2
    assert first.data.tcp is not None
    for other in others:
        assert first.data.events == other.data.events
        assert other.data.tcp is not None
        _same(first.data.players[0], other.data.players[0])
        _same(first.data.tcp, other.data.tcp)


def _same(one: Columns, other: Columns) -> None:
    for name, column in one.items():
        assert np.array_equal(column, other[name], equal_nan=True), name


@pytest.mark.parametrize("http", ["nginx", pytest.param("apache", marks=pytest.mark.long)])
def test_it_asks_as_dash_js_does_in_weir_s_browser(run_once: Runner, http: str) -> None:
    # No packet is lost, so that a millisecond now is none of a second later. Some segments are
    # asked for twice: a browser keeps none.
    calm = {**FILM, "server.http": http, "gateway.downlink.queue.limit_packets": 1000}
    chromium, node = (
        run_once(experiment(calm, each), wall_limit_s=WALL_LIMIT_S).data.players[0]
        for each in (browser(), itself("dashjs"))
    )
    assert list(chromium["segment"]) == list(node["segment"])
    assert list(chromium["level"]) == list(node["level"])
    assert chromium["request_s"] == pytest.approx(node["request_s"], abs=0.005)
    took_s = [found["last_byte_s"] - found["request_s"] for found in (chromium, node)]
    assert took_s[0] == pytest.approx(took_s[1], abs=0.002)


def test_settings_take_effect(run_once: Runner) -> None:
    settings = {
        "abr": {"maxBitrate": {"video": 1000}},
        "buffer": {"bufferTimeDefault": 4, "bufferTimeAtTopQuality": 4},
    }
    asked = experiment({"duration_s": 8.0}, browser({"streaming": settings}))
    (bound,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    assert max(bound["level"]) == 2 and bound["buffer_after_s"].max() <= 4 + 2


def test_clients_of_mixed_players_share_a_link(run_once: Runner) -> None:
    asked = experiment(SHORT, browser(), browser(), itself("dashjs"), client())
    result = run_once(asked, wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    assert all(len(found["segment"]) >= 2 for found in result.data.players)
    first, second = (found["request_s"] for found in result.data.players[:2])
    assert list(first) != list(second)


def test_one_that_asks_for_nothing_ends_with_what_it_said(run: Runner) -> None:
    # What describes the film is on its way when the experiment ends.
    said = r"client 1 \(dashjs 5\.2\.1 in chromium\) asked for no segment; it said last"
    with pytest.raises(RunFailure, match=said):
        run(experiment({"duration_s": 0.15}, browser()), wall_limit_s=WALL_LIMIT_S)
