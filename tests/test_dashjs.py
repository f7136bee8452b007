"""dash.js itself, in Node.js in a guest: on real TCP, by the virtual clock."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir_lab.collect import CellResult
from weir_testing.cells import LADDER_BPS, Runner, broken, client, experiment
from weir_testing.node_players import FILM, FILM_S, WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]


def rule(name: str) -> dict[str, Any]:
    """Settings with this rule alone."""
    rules = {each: {"active": each == name} for each in ("throughputRule", "bolaRule")}
    return {"streaming": {"abr": {"rules": rules}}}


def chosen(result: CellResult) -> list[int]:
    """The levels that dash.js notes that it chose."""
    return [each["level"] for each in result.data.events if each["event"] == "level-chosen"]


def test_it_plays_a_film_to_its_end(run_once: Runner) -> None:
    # Fast to switch up, it would ask for segments again, for the last of its buffer's time.
    once = {"streaming": {"buffer": {"fastSwitchEnabled": False}}}
    result = run_once(experiment(FILM, itself("dashjs", once)), wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    (found,) = result.data.players
    assert list(found["segment"]) == list(range(5)) and set(found["status"]) == {206}
    sizes = [round(LADDER_BPS[level] * 2.0 / 8) for level in found["level"]]
    assert list(found["size_bytes"]) == sizes
    assert found["stall_s"].sum() == 0
    # One round trip of 100 ms from a request to its first byte.
    assert found["first_byte_s"] - found["request_s"] == pytest.approx(0.1, abs=0.005)
    assert found["buffer_after_s"].max() <= 30 + 2.0
    # What it fetched stands in the kernel's own record of its connections.
    ports = {flow["remote_port"] for flow in result.data.flows}
    assert set(found["connection"]) <= ports


def test_a_request_that_broke_off_before_its_answer_has_no_first_byte(run_once: Runner) -> None:
    far = {**FILM, "gateway.path.rtt.mean_s": 0.4}
    whole = run_once(experiment(far, itself("dashjs")), wall_limit_s=WALL_LIMIT_S).data.players[0]
    after = list(whole["status"]).index(206) + 1
    stop_s = float(whole["request_s"][after]) + 0.1
    cut = run_once(experiment(far, itself("dashjs", stop_s=stop_s)), wall_limit_s=WALL_LIMIT_S).data
    (found,) = cut.players
    assert list(found["status"]) == [*whole["status"][:after], 0]
    assert np.isnan(found["first_byte_s"][after])
    assert found["last_byte_s"][after] == pytest.approx(stop_s, abs=0.01)


def test_its_choices_and_their_reasons_are_events(run_once: Runner) -> None:
    result = run_once(experiment(FILM, itself("dashjs")), wall_limit_s=WALL_LIMIT_S)
    (found,) = result.data.players
    notes = [each for each in result.data.events if each["event"] == "level-chosen"]
    assert notes and all(each["client"] == 1 and each["reason"] is not None for each in notes)
    assert set(found["level"]) == {found["level"][0], *chosen(result)}


def test_settings_take_effect(run_once: Runner) -> None:
    (free,) = run_once(experiment(FILM, itself("dashjs")), wall_limit_s=WALL_LIMIT_S).data.players
    settings = {
        "abr": {"maxBitrate": {"video": 1000}},
        "buffer": {"bufferTimeDefault": 4, "bufferTimeAtTopQuality": 4},
    }
    asked = experiment({"duration_s": FILM_S}, itself("dashjs", {"streaming": settings}))
    (bound,) = run_once(asked, wall_limit_s=WALL_LIMIT_S).data.players
    assert max(free["level"]) == 4
    # It asks for the next segment while less than the bound is ahead.
    assert max(bound["level"]) == 2 and bound["buffer_after_s"].max() <= 4 + 2


def test_clients_of_mixed_players_share_a_link(run_once: Runner) -> None:
    both = (
        itself("dashjs", rule("throughputRule")),
        itself("dashjs", rule("bolaRule")),
        client(),
        client("bola"),
    )
    result = run_once(experiment({"duration_s": FILM_S}, *both), wall_limit_s=WALL_LIMIT_S)
    assert not broken(result)
    assert all(len(found["segment"]) >= 4 for found in result.data.players)
    first, second = (found["request_s"] for found in result.data.players[:2])
    assert list(first) != list(second)
