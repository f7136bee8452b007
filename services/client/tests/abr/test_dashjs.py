"""throughput, BOLA and DYNAMIC decide as dash.js's own code did on the same film and link.

reference/dashjs-VERSION.json is what the npm package's rules decided (reference/dashjs-VERSION.mjs
made it): per segment the player's state when it asked, the decision, and the download that
followed. Here our algorithms get the same states and downloads.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.spec.players import completed
from weir_client import abr
from weir_client.state import Download, State

FOLDER = Path(__file__).parent / "reference"
REFERENCES = {
    version: json.loads((FOLDER / f"dashjs-{version}.json").read_text())
    for version in ("4.0.1", "5.2.1")
}
OPTIONS: dict[str, dict[str, Any]] = {"4.0.1": {"version": "4.0.1"}, "5.2.1": {}}
PLAYERS: dict[str, tuple[str, dict[str, Any]]] = {
    "throughput": ("dashjs-throughput", {}),
    "stalls": ("dashjs-throughput", {"insufficient_buffer": "stalls"}),
    "bola": ("bola", {}),
    "dynamic": ("dynamic", {}),
}


@pytest.mark.parametrize(
    ("version", "session"),
    [
        pytest.param(version, one, id=f"{version}-{one['rule']}-{one['ladder']}-{one['link']}")
        for version, reference in REFERENCES.items()
        for one in reference["sessions"]
    ],
)
def test_decides_as_dashjs(version: str, session: dict[str, Any]) -> None:
    reference, ladder = REFERENCES[version], tuple(session["rates"])
    name, options = PLAYERS[session["rule"]]
    player: Any = abr.make(name, None, completed(name, OPTIONS[version] | options), ladder, 1)
    sizes = [round(rate * reference["segment_s"] / 8) for rate in ladder]
    state = State(
        reference["buffer_s"], reference["segment_s"], lambda level, segment: sizes[level],
        lambda: 0.0,
    )  # fmt: skip
    wrong = []
    for segment, values in enumerate(session["steps"]):
        step = dict(zip(reference["columns"], values, strict=True))
        state.now_s, state.segment = step["now"] / 1000, segment
        state.buffer_s, state.playing = step["buffer"], step["playing"]
        state.stalled_s = step["stalled"]
        level = player.choose(state)
        delay_s = player.delay_s(state) if hasattr(player, "delay_s") else 0.0
        if level != step["level"] or delay_s * 1000 != pytest.approx(step["delay"], abs=1):
            wrong.append((segment, level, step["level"], round(delay_s * 1000), step["delay"]))
        if step["average"] is not None:  # it rounds samples to kbit/s
            assert player.estimate_bps / 1000 == pytest.approx(step["average"], abs=1.5)
        state.last = Download(
            segment, step["level"], step["bytes"], request_s=step["request"] / 1000,
            first_byte_s=step["first"] / 1000, last_byte_s=step["last"] / 1000,
        )  # fmt: skip
        state.history.append(state.last)
        state.previous_level = step["level"]
    assert not wrong
