"""Every kind of series, and the curves of a run that are of some kinds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

import numpy as np
from weir.resolved import Experiment

from weir_orchestrator.recorded import bottleneck, playback, players, transport
from weir_orchestrator.recorded.curves import Curve, Window, marked
from weir_orchestrator.recorded.files import RunFiles

__all__ = ["KINDS", "curves"]

KINDS: Final = (
    *players.KINDS,
    *playback.KINDS,
    *transport.KINDS,
    *bottleneck.KINDS,
    "events",
)


def curves(
    files: RunFiles, experiment: Experiment, kinds: Collection[str], window: Window
) -> list[Curve]:
    """What the run recorded of these kinds. Raises StoreUnavailable."""
    asked = set(kinds)
    found: list[Curve] = []
    if of_players := asked & players.KINDS.keys():
        found += players.curves(files, experiment, of_players, window)
    if of_playback := asked & playback.KINDS.keys():
        found += playback.curves(files, experiment, of_playback, window)
    if of_transport := asked & transport.KINDS.keys():
        found += transport.curves(files, of_transport, window)
    if of_bottleneck := asked & bottleneck.KINDS.keys():
        found += bottleneck.curves(files, experiment, of_bottleneck, window)
    if "events" in asked:
        found += _events(files, window)
    return found


def _events(files: RunFiles, window: Window) -> Iterator[Curve]:
    by_whose: dict[tuple[int | None, str | None], list[dict[str, Any]]] = {}
    for event in files.lines("events.jsonl") or []:
        if event["event"] in ("playback", "response"):
            continue  # so many of them that the others would be thinned out
        by_whose.setdefault((event.get("client"), event.get("path")), []).append(event)
    for (client, path), events in by_whose.items():
        t_s = np.array([event["t_s"] for event in events], dtype=np.float64)
        labels = np.array([event["event"] for event in events], dtype=object)
        whose = {"client": client, "path": path}
        yield marked("events", "", t_s, np.ones(len(t_s)), window, labels, **whose)
