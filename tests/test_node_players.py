"""Players for Node.js that a campaign brings, in a lab kernel: how they play, and how they fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from weir.dashjs import VERSIONS
from weir.errors import RunFailure
from weir_engine import provenance
from weir_engine.executor.local import LocalExecutor
from weir_engine.states import move
from weir_engine.task import Environment, Task
from weir_lab import players
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_testing.cells import LADDER_BPS, SPINS_CPU_S, Runner, broken, client, experiment
from weir_testing.node_players import FILM, SMALL, WALL_LIMIT_S, brought, itself, written

pytestmark = pytest.mark.kernel

NIGHTLY = """\
const page = require(process.env.WEIR_BROWSER);
const dashjs = require('./dash.js');
const { bufferS } = page;
page.play(() => {
  const player = dashjs.MediaPlayer().create();
  const buffer = {
    bufferTimeDefault: bufferS,
    bufferTimeAtTopQuality: bufferS,
    bufferTimeAtTopQualityLongForm: bufferS,
  };
  player.updateSettings({ streaming: { buffer } });
  player.on('qualityChangeRequested', ({ newRepresentation, oldRepresentation, reason }) => {
    const before = oldRepresentation ? Number(oldRepresentation.id) : null;
    page.chosen(Number(newRepresentation.id), before, reason);
  });
  player.initialize(page.video, page.dash, true);
  return () => player.getAverageThroughput('video') * 1000;
});
"""


def test_it_plays_a_film_beside_an_emulated_player_to_the_same_bytes(run: Runner) -> None:
    asked = experiment(FILM, brought(SMALL, options={"share": 0.7}), client("bola"))
    first, second = (run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(2))
    assert not broken(first)
    own, emulated = first.data.players
    assert list(own["segment"]) == list(emulated["segment"]) == list(range(5))
    sizes = [round(LADDER_BPS[level] * 2.0 / 8) for level in own["level"]]
    assert list(own["size_bytes"]) == sizes
    assert set(own["status"]) == {206} and max(own["level"]) > 0
    # A round trip of 100 ms, and at most the other's packets in the queue.
    waits_s = own["first_byte_s"] - own["request_s"]
    assert waits_s.min() >= 0.1 and waits_s.max() < 0.35
    assert own["stall_s"].sum() == 0 and own["buffer_after_s"].max() <= 30 + 2.0
    ports = {flow["remote_port"] for flow in first.data.flows}
    assert set(own["connection"]) <= ports
    for one, other in zip(first.data.players, second.data.players, strict=True):
        for name, column in one.items():
            assert np.array_equal(column, other[name], equal_nan=True), name
    assert first.data.events == second.data.events and first.log == second.log
    assert first.data.tcp is not None and second.data.tcp is not None
    for name, column in first.data.tcp.items():
        assert np.array_equal(column, second.data.tcp[name], equal_nan=True), name


@pytest.mark.usefixtures("kept_players")
def test_a_build_of_dash_js_in_weir_s_browser_plays_as_dash_js_does(
    run: Runner, tmp_path: Path
) -> None:
    version = VERSIONS[-1]
    (script,) = (players.root() / f"dashjs-{version}").glob("*.js")
    nightly = written(tmp_path / "nightly", NIGHTLY, {"dash.js": script.read_text()})
    found, wanted = (
        run(experiment(FILM, each), wall_limit_s=WALL_LIMIT_S).data
        for each in (nightly, itself("dashjs"))
    )
    # Other scripts around it take other steps: tens of microseconds.
    for name, column in wanted.players[0].items():
        if name == "raw_bps":
            continue
        assert found.players[0][name] == pytest.approx(column, abs=1e-4, nan_ok=True), name
    chosen = [
        [(each["level"], each["level_before"]) for each in data.events if "level" in each]
        for data in (found, wanted)
    ]
    assert chosen[0] == chosen[1] != []


HLS = """\
const page = require(process.env.WEIR_BROWSER);
const Hls = require('./hls.js');
page.play(() => {
  const player = new Hls({ ...page.options, enableWorker: false });
  player.attachMedia(page.video);
  player.loadSource(page.hls);
  page.video.play();
  return () => player.bandwidthEstimate;
});
"""


@pytest.mark.usefixtures("kept_players")
def test_a_build_of_hls_js_plays_from_the_film_s_playlists(run: Runner, tmp_path: Path) -> None:
    (script,) = players.root().glob("hlsjs-*/*.js")
    text = {"hls.js": script.read_text()}
    options = {"maxBufferLength": 4, "maxMaxBufferLength": 4}
    nightly = written(tmp_path / "nightly", HLS, text, options=options)
    (found,) = run(experiment(FILM, nightly), wall_limit_s=WALL_LIMIT_S).data.players
    assert set(found["segment"]) == set(range(5)) and set(found["status"]) == {206}
    assert found["buffer_after_s"].max() <= 4 + 2.0 and np.isfinite(found["estimate_bps"]).any()


def test_one_that_asks_for_nothing_ends_the_run_with_what_it_said(
    kernel: Kernel, tmp_path: Path
) -> None:
    mute = written(tmp_path / "mute", "console.log('no manifest\\nof mine');")
    asked = experiment({"duration_s": 4.0}, mute)
    history = move(move([], "pending"), "queued")
    task = Task("0" * 32, "small", {}, 1, 1, asked, history=history)
    executor = LocalExecutor(Environment(tmp_path / "store", kernel, provenance.roles()), 1)
    *_, ended = executor.execute([task])
    said = "no manifest\nof mine"
    assert (ended.state, ended.reason) == (
        "failed", f"client 1 (mute/) asked for no segment; it said last: {said}",
    )  # fmt: skip
    (log,) = (tmp_path / "store/failed").glob("*/log.txt")
    assert f"client 1 said:\n{said}" in log.read_text()


def test_one_that_spins_is_told_by_its_name(kernel: Kernel, tmp_path: Path) -> None:
    spins = written(tmp_path / "spins", "while (true);")
    (tmp_path / "cell").mkdir()
    asked = experiment({"duration_s": 4.0}, client(), spins)
    with pytest.raises(RunFailure, match="the guest spins: spins/ in client2 took"):
        run_cell(asked, 1, kernel, tmp_path / "cell", WALL_LIMIT_S, standstill_cpu_s=SPINS_CPU_S)


def test_twenty_of_them_play_in_one_cell(run: Runner) -> None:
    small = brought(SMALL)
    found = run(experiment({"duration_s": 3.0}, *[small] * 20), wall_limit_s=WALL_LIMIT_S).data
    assert all(len(own["segment"]) for own in found.players)
