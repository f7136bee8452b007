"""What players that are programs of their own may note, and what of it ends the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.errors import RunFailure
from weir.records import EventRecord
from weir_lab import programs
from weir_testing.cells import experiment
from weir_testing.node_players import itself

CHOSEN = {"t_s": 1.25, "level": 2, "level_before": None, "buffer_s": 0.5, "reason": "r"}
PLAYBACK = {"t_s": 2.0, "event": "playback", "media_s": 30.5, "speed": 1.04, "buffer_s": 0.5}


def noted(folder: Path, *lines: str) -> list[EventRecord]:
    """Events of client 1, a program that left these lines."""
    (folder / "client-1").mkdir()
    (folder / "client-1/events.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return list(programs.events(experiment({}, itself("dashjs")), folder))


def test_choices_and_changes_of_playback_are_events(tmp_path: Path) -> None:
    assert noted(tmp_path, json.dumps(CHOSEN), json.dumps(PLAYBACK)) == [
        {**CHOSEN, "event": "level-chosen", "client": 1},
        {**PLAYBACK, "client": 1},
    ]


@pytest.mark.parametrize(
    ("event", "field"),
    [(CHOSEN, field) for field in ("t_s", "level", "buffer_s")]
    + [(PLAYBACK, field) for field in ("t_s", "media_s", "speed", "buffer_s")],
)
@pytest.mark.parametrize("value", ["1e999", "-1e999", "NaN", "null", "[1]", '"x"'])
def test_what_is_no_finite_number_ends_the_run(
    tmp_path: Path, event: dict[str, Any], field: str, value: str
) -> None:
    line = json.dumps({**event, field: 0}).replace(f'"{field}": 0', f'"{field}": {value}')
    with pytest.raises(RunFailure, match=r"client-1/events\.jsonl: .* is no event of a player"):
        noted(tmp_path, line)
