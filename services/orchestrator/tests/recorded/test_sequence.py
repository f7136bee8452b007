"""Time-sequence curves of packets at a bottleneck."""

from __future__ import annotations

from typing import Any

import numpy as np
from weir_orchestrator.recorded import sequence
from weir_orchestrator.recorded.curves import Window

SENT, DROPPED = 0, 1
FLOWS = [{"flow": 0, "client": 2}]
FIRST = 2**32 - 1000
"""So that the third packet's number has wrapped around."""


def _found(kinds: set[str], *packets: tuple[int, int, int]) -> dict[str, Any]:
    """packets: (ms, bytes since FIRST, fate); a pure ACK and another flow's packet beside them."""
    rows = [(ms, 0, (FIRST + byte) % 2**32, 1000, fate) for ms, byte, fate in packets]
    rows += [(5, 0, FIRST, 0, SENT), (6, 7, 12, 1000, SENT)]
    columns = np.array(rows, dtype=np.int64).T
    named = dict(zip(("arrival_ns", "flow", "seq", "payload", "fate"), columns, strict=True))
    named["arrival_ns"] = named["arrival_ns"] * 1_000_000
    named["seq"] = named["seq"].astype(np.uint32)
    window = Window(0.0, 1.0, 100)
    found = sequence.curves(named, FLOWS, kinds, window, {"path": None})
    return {curve.kind: (curve.client, curve.t_s, curve.values) for curve in found}


def test_what_is_new_sent_again_and_dropped_are_told_apart() -> None:
    found = _found(
        set(sequence.KINDS),
        (10, 0, SENT),
        (20, 1000, DROPPED),
        (30, 2000, SENT),
        (40, 1000, SENT),
        (50, 3000, SENT),
    )
    assert found == {
        "sequence": (2, [0.01, 0.02, 0.03, 0.05], [0.0, 1000.0, 2000.0, 3000.0]),
        "sequence_again": (2, [0.04], [1000.0]),
        "sequence_drops": (2, [0.02], [1000.0]),
    }


def test_only_what_is_asked_for_comes() -> None:
    assert set(_found({"sequence_drops"}, (10, 0, SENT), (20, 1000, DROPPED))) == {"sequence_drops"}


def test_of_nothing_dropped_or_sent_again_there_is_no_curve() -> None:
    assert set(_found(set(sequence.KINDS), (10, 0, SENT), (20, 1000, SENT))) == {"sequence"}
