"""dash.js on a live film with low latency: chunks as they are made, and the way to the target."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.rundir import Columns
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.kernel import Kernel
from weir_testing.cells import Runner, broken, experiment
from weir_testing.files import run_directory
from weir_testing.live_film import content
from weir_testing.node_players import WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]

LENGTH_S, MADE_BEFORE_S, CHUNK_S = 2.0, 30.0, 0.5  # of LIVE
RULES = ("throughputRule", "bolaRule", "l2ARule", "loLPRule")


def rule(name: str, **streaming: Any) -> dict[str, Any]:
    """Settings with this rule alone."""
    rules = {each: {"active": each == name} for each in RULES}
    return {"streaming": {"abr": {"rules": rules}, **streaming}}


def watched(
    run_once: Runner, *settings: dict[str, Any], live: dict[str, Any] | None = None, **changes: Any
) -> CellResult:
    """A film of 30 s, by a client for each tree of settings."""
    asked = {"duration_s": 30.0, "content": content(**(live or {})), **changes}
    clients = [itself("dashjs", tree) for tree in settings or ({},)]
    return run_once(experiment(asked, *clients), wall_limit_s=WALL_LIMIT_S)


def made_s(segment: Columns, chunks: int) -> Any:
    """When so many chunks of each segment are made, in s of the experiment."""
    return segment["segment"] * LENGTH_S + chunks * CHUNK_S - MADE_BEFORE_S


def test_it_fetches_what_is_being_made_chunk_by_chunk(run_once: Runner) -> None:
    result = watched(run_once)
    assert not broken(result)
    (found,) = result.data.players
    whole = {name: values[found["status"] == 206] for name, values in found.items()}
    assert len(whole["segment"]) >= 14
    assert list(np.diff(whole["segment"])) == [1] * (len(whole["segment"]) - 1)
    assert (whole["request_s"] >= made_s(whole, 1) - 0.002).all()
    # Once it waits for the next one, it asks when the first chunk is made, and the last one comes
    # when that is made, by 8 Mbit/s.
    waits = np.append(False, whole["request_s"][1:] > whole["last_byte_s"][:-1] + 0.1)
    waits &= whole["request_s"] < made_s(whole, 2)
    assert waits.sum() >= 10
    assert whole["request_s"][waits] == pytest.approx(made_s(whole, 1)[waits], abs=0.01)
    took_s = (whole["last_byte_s"] - made_s(whole, 4))[waits]
    assert (took_s > 0).all() and (took_s < CHUNK_S).all()


def test_playback_rates_bring_it_to_its_target(run_once: Runner) -> None:
    data = watched(run_once, live={"target_latency_s": 2.0, "max_playback_rate": 1.1}).data
    (client,) = compute(data)["clients"]
    assert client["live_latency_s"] == pytest.approx(2.0, abs=0.1)
    assert client["live_latency_p95_s"] < 4
    assert client["playback_rate_changes"] > 0 and client["playback_rate_off_percent"] > 10
    speeds = {each["speed"] for each in data.events if each["event"] == "playback"}
    assert all(speed == 0 or 0.96 <= speed <= 1.1 for speed in speeds)
    assert max(speeds) > 1.05


def test_its_settings_come_before_what_the_manifest_tells(run_once: Runner) -> None:
    settings = {"streaming": {"delay": {"liveDelay": 5}, "liveCatchup": {"enabled": False}}}
    (client,) = compute(watched(run_once, settings).data)["clients"]
    assert client["live_latency_s"] == pytest.approx(5.0, abs=1.0)
    assert client["playback_rate_changes"] == client["playback_rate_off_percent"] == 0


def test_whole_segments_are_fetched_once_they_are_made(run_once: Runner) -> None:
    result = watched(run_once, live={"chunk_s": LENGTH_S, "target_latency_s": 6.0})
    (found,) = result.data.players
    assert len(found["segment"]) >= 10
    assert (found["request_s"] >= made_s(found, 4) - 0.002).all()
    # dash.js does not catch up then, unless it is told to.
    (client,) = compute(result.data)["clients"]
    assert 6.0 < client["live_latency_s"] < 6.0 + LENGTH_S
    assert client["playback_rate_off_percent"] == 0


def stood_s(result: CellResult) -> float:
    """How long playback stood still once it had begun, by its notes."""
    notes = [each for each in result.data.events if each["event"] == "playback"]
    return sum(b["t_s"] - a["t_s"] for a, b in pairwise(notes) if a["speed"] == 0)


def test_after_a_long_stall_it_skips(run_once: Runner) -> None:
    rates = {"gateway.downlink.rate_steps": [[0.0, 8e6], [10.0, 64e3], [17.0, 8e6]]}
    result = watched(run_once, live={"max_latency_s": 5.0}, **rates)
    (client,) = compute(result.data)["clients"]
    assert client["stall_count"] >= 1 and client["skipped_s"] > 2
    assert result.data.players[0]["stall_s"].sum() == pytest.approx(stood_s(result), abs=0.001)
    assert client["live_latency_s"] < 5.5


@pytest.mark.parametrize(
    ("name", "streaming", "said"),
    [
        ("l2ARule", {}, "L2A"),
        # It names itself in no reason, but tells these two.
        ("loLPRule", {"liveCatchup": {"mode": "liveCatchupModeLoLP"}}, "{'throughput': "),
    ],
)
def test_the_rules_for_low_latency_decide(
    run_once: Runner, name: str, streaming: dict[str, Any], said: str
) -> None:
    result = watched(run_once, rule(name, **streaming))
    assert not broken(result)
    reasons = [str(each["reason"]) for each in result.data.events if "reason" in each]
    assert any(said in reason for reason in reasons), reasons
    assert compute(result.data)["clients"][0]["live_latency_s"] < 5


def test_the_same_seed_gives_the_same_bytes(kernel: Kernel, tmp_path: Path) -> None:
    clients = [itself("dashjs", rule(name)) for name in ("loLPRule", "bolaRule")]
    asked = experiment({"content": content(), "server.congestion_control": "bbr"}, *clients)
    folders = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        result = run_cell(asked, 7, kernel, tmp_path / name, WALL_LIMIT_S)
        folders.append(run_directory(result, tmp_path / f"{name}-run"))
    assert folders[0] == folders[1]
