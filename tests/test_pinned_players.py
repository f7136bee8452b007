"""What holds of all pinned players: the same bytes again, and how their runs fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from weir.errors import RunFailure
from weir.programs import PINNED
from weir_testing.cells import Runner, broken, client, experiment
from weir_testing.node_players import FILM_S, WALL_LIMIT_S, itself

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("kept_players")]

EACH = pytest.mark.parametrize("player", PINNED)


@EACH
def test_a_run_has_the_same_bytes_three_times(run: Runner, player: str) -> None:
    jitter = {"duration_s": FILM_S, "gateway.path.rtt.stddev_s": 0.005}
    asked = experiment(jitter, itself(player))
    first, *others = [run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(3)]
    for other in others:
        for name, column in first.data.players[0].items():
            assert np.array_equal(column, other.data.players[0][name], equal_nan=True), name
        assert first.data.events == other.data.events
        assert first.data.tcp is not None and other.data.tcp is not None
        for name, column in first.data.tcp.items():
            assert np.array_equal(column, other.data.tcp[name], equal_nan=True), name


def test_all_beside_an_emulated_player_have_the_same_bytes_again(run: Runner) -> None:
    asked = experiment({"duration_s": 8.0}, *map(itself, PINNED), client())
    first, second = (run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(2))
    assert not broken(first)
    for one, again in zip(first.data.players, second.data.players, strict=True):
        assert len(one["segment"]) >= 3
        for name, column in one.items():
            assert np.array_equal(column, again[name], equal_nan=True), name
    assert first.data.events == second.data.events


@EACH
def test_one_that_asks_for_nothing_ends_with_what_it_said(run_once: Runner, player: str) -> None:
    # What describes the film is on its way when the experiment ends.
    nothing = experiment({"duration_s": 0.15}, itself(player))
    said = rf"client 1 \({player} [\d.]+\) asked for no segment; it said"
    with pytest.raises(RunFailure, match=said):
        run_once(nothing, wall_limit_s=WALL_LIMIT_S)


@EACH
def test_a_version_that_this_machine_lacks_ends_the_run(
    run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, player: str
) -> None:
    monkeypatch.setenv("WEIR_PLAYERS", str(tmp_path))
    with pytest.raises(
        RunFailure, match=rf"{player} [\d.]+ is not on this machine .* player fetch"
    ):
        run(experiment({}, itself(player)))


def test_a_setting_that_hls_js_itself_refuses_ends_the_run_with_its_words(run: Runner) -> None:
    # Which settings are at odds, only hls.js knows.
    odds = {"liveSyncDurationCount": 3, "liveMaxLatencyDurationCount": 2}
    with pytest.raises(RunFailure, match="liveMaxLatencyDurationCount"):
        run(experiment({"duration_s": 5.0}, itself("hlsjs", odds)), wall_limit_s=WALL_LIMIT_S)
