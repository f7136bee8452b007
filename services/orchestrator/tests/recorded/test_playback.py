"""Curves of a live film, by hand, from a run directory in a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from weir import rundir
from weir_orchestrator.objects import open_store, put_folder
from weir_orchestrator.recorded import Curve, RunFiles, curves
from weir_orchestrator.recorded.curves import Window
from weir_testing.live_film import LIVE, played
from weir_testing.metrics import experiment, player

CHANGES = (
    # At 1 s, 31 s of the film are made: 3 s late. A stall from 5 to 6 s; at 10 s 2 s are skipped;
    # 1.2 from then on.
    (1.0, 28.0, 1.0),
    (5.0, 32.0, 0.0),
    (6.0, 32.0, 1.0),
    (10.0, 38.0, 1.2),
)
WHOLE = Window(0.0, 20.0, 100)


def found(folder: Path, *kinds: str, live: dict[str, Any] | None) -> dict[str, Curve]:
    """Of a run of 20 s with one client, whose last byte comes at 15 s."""
    asked = experiment([(0, None)], 20.0)
    if live is not None:
        asked["content"]["live"] = live
    events = played(*CHANGES) if live else []
    rundir.save(folder / "run", rundir.RunData(asked, [player([1] * 8)], events=events))
    store = open_store("memory://")
    put_folder(store, "runs/k", folder / "run")
    drawn = curves(RunFiles(store, "runs/k"), asked, kinds, WHOLE)
    return {curve.kind: curve for curve in drawn}


def points(curve: Curve) -> list[tuple[float, float]]:
    return list(zip(curve.t_s, curve.values, strict=True))


def test_latency_grows_in_stalls_and_falls_at_skips_and_at_higher_rates(tmp_path: Path) -> None:
    curve = found(tmp_path, "latency", live=LIVE)["latency"]
    assert (curve.unit, curve.client, curve.shape) == ("s", 1, "line")
    # From 10 s on it is 0.2 s less in each second, as far as anything of the client is recorded.
    assert points(curve) == [
        (1.0, 3.0), (5.0, 3.0), (5.0, 3.0), (6.0, 4.0), (6.0, 4.0), (10.0, 4.0), (10.0, 2.0),
        (15.0, 1.0),
    ]  # fmt: skip


def test_the_rate_is_what_playback_moves_by(tmp_path: Path) -> None:
    curve = found(tmp_path, "playback_rate", live=LIVE)["playback_rate"]
    assert (curve.shape, points(curve)) == ("step", [(1.0, 1.0), (6.0, 1.0), (10.0, 1.2)])


def test_what_players_are_told_holds_for_the_whole_run(tmp_path: Path) -> None:
    told = {**LIVE, "max_latency_s": 8.0}
    lines = found(tmp_path, "latency_target", "latency_max", live=told)
    assert {kind: points(curve) for kind, curve in lines.items()} == {
        "latency_target": [(0.0, 3.0), (20.0, 3.0)],
        "latency_max": [(0.0, 8.0), (20.0, 8.0)],
    }


def test_without_a_maximum_there_is_no_line(tmp_path: Path) -> None:
    assert found(tmp_path, "latency_target", "latency_max", live=LIVE).keys() == {"latency_target"}


def test_a_stall_ends_where_playback_goes_on_and_not_with_a_segment(tmp_path: Path) -> None:
    lines = found(tmp_path, "stalls", "buffer", live=LIVE)
    assert points(lines["stalls"]) == [(6.0, 1.0)]
    assert {(0.0, 20.0), (5.0, 22.0), (5.0, 0.5), (6.0, 0.5)} < set(points(lines["buffer"]))


def test_of_another_film_there_is_none(tmp_path: Path) -> None:
    kinds = ("latency", "latency_target", "latency_max", "playback_rate")
    assert found(tmp_path, *kinds, live=None) == {}
