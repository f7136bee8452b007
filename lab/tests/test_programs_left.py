"""What players that are programs of their own leave beside rows: events, and how they are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.errors import RunFailure
from weir_client import rows
from weir_lab import programs
from weir_testing.cells import client, experiment

OPTIONS = {"version": "5.2.1", "settings": {}}
ASKED = experiment({}, client(), client("chromium", options=OPTIONS))


def events(folder: Path, *lines: str | dict[str, Any]) -> list[Any]:
    """What the second client's lines become."""
    (folder / "client-2").mkdir()
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (folder / "client-2/events.jsonl").write_text(text)
    return list(programs.events(ASKED, folder))


def test_what_a_browser_tells_of_its_video_element(tmp_path: Path) -> None:
    told = {"t_s": 1.23456789, "event": "media", "name": "waiting", "media_s": 0.5, "speed": 0,
            "buffer_s": 0, "more": 1}  # fmt: skip
    frames = {"t_s": 9, "event": "frames", "frames": 90, "dropped_frames": 2, "buffer_s": 4}
    assert events(tmp_path, told, frames) == [
        {"t_s": 1.234568, "event": "media", "client": 2, "name": "waiting", "media_s": 0.5,
         "speed": 0.0, "buffer_s": 0.0},
        {"t_s": 9.0, "event": "frames", "client": 2, "frames": 90, "dropped_frames": 2,
         "buffer_s": 4.0},
    ]  # fmt: skip


def test_a_choice_has_its_reason(tmp_path: Path) -> None:
    told = {"t_s": 1, "event": "level-chosen", "level": 2, "level_before": None, "buffer_s": 0,
            "reason": {"rule": "BolaRule"}}  # fmt: skip
    (found,) = events(tmp_path, told)
    assert (found["level"], found["level_before"]) == (2, None)
    assert found["reason"] == {"rule": "BolaRule"}


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"t_s": NaN, "event": "frames", "frames": 1, "dropped_frames": 0, "buffer_s": 0}',
        '{"t_s": 1e999, "event": "frames", "frames": 1, "dropped_frames": 0, "buffer_s": 0}',
        '{"t_s": 1, "event": "frames", "frames": 1, "buffer_s": 0}',
        '{"t_s": 1, "event": "media", "media_s": 1, "speed": 1, "buffer_s": 0}',
        '{"t_s": 1, "event": "media", "name": "waiting", "speed": 1, "buffer_s": 0}',
    ],
)
def test_what_is_no_event_is_told(tmp_path: Path, line: str) -> None:
    with pytest.raises(RunFailure, match=r"client-2/events\.jsonl: .*"):
        events(tmp_path, line)


@pytest.mark.parametrize(
    ("ports", "told"), [([], 0), ([4001], 4001), ([4001, 4002], 0)], ids=["none", "one", "two"]
)
def test_a_browser_s_rows_have_the_port_of_its_one_connection(ports: list[int], told: int) -> None:
    flows: Any = [{"client": 1, "remote_port": 4000}, {"client": 0, "remote_port": 4003}]
    flows += [{"client": 2, "remote_port": port} for port in ports]
    emulated, chromium = (
        rows.columns(np.ones((2, rows.WIDTH))),
        rows.columns(np.zeros((2, rows.WIDTH))),
    )
    programs.connect(ASKED, [emulated, chromium], flows)
    assert list(emulated["connection"]) == [1, 1]
    assert list(chromium["connection"]) == [told, told]
