from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.notes import notes
from weir.resolved import Experiment
from weir.spec.load import parse_campaign


def experiment(folder: Path, rate: Any, **content: Any) -> Experiment:
    document = {
        "name": "x",
        "experiment": {
            "duration": "60s",
            "content": {"ladder": ["80kbit/s", "160kbit/s"], **content},
            "gateway": {"downlink": {"rate": rate, "queue": {"limit": "67packets"}}},
            "clients": [{"player": "bba1", "buffer": "240s"}],
        },
    }
    return next(Expansion(parse_campaign(document, folder)).runs()).experiment


def test_nothing_to_note(tmp_path: Path) -> None:
    assert notes(experiment(tmp_path, "8Mbit/s")) == []
    (tmp_path / "long.trace").write_text("0 1\n100 2\n")
    trace = {"trace": "long.trace", "format": "pensieve"}
    assert notes(experiment(tmp_path, trace)) == []
    assert notes(experiment(tmp_path, "8Mbit/s", sizes={"generate": {}}, segments=30)) == []


def test_a_trace_that_starts_over(tmp_path: Path) -> None:
    (tmp_path / "short.trace").write_text("0 1\n10 2\n25 3\n")
    trace: dict[str, Any] = {"trace": "short.trace", "format": "pensieve"}
    found = experiment(tmp_path, trace)
    assert found["gateway"]["downlink"]["rate_loop_s"] == 25.0
    assert notes(found) == [
        "gateway.downlink.rate: the trace lasts 25 s and the run 60 s; it started over every 25 s"
    ]
    with pytest.raises(
        SpecError, match=r"it lasts 25s: set .*rate\.loop to true or lower duration"
    ):
        experiment(tmp_path, {**trace, "loop": False})


def test_a_film_that_ends_and_sizes_that_are_not_the_ladders(tmp_path: Path) -> None:
    # Level 0: 20 kB in 2 s, 80 kbit/s as the ladder says; level 1: 60 kB, 240 kbit/s.
    (tmp_path / "film.csv").write_text("20000,60000\n20000,60000\n")
    assert notes(experiment(tmp_path, "8Mbit/s", sizes="film.csv")) == [
        "content: the film lasts 4 s and the run 60 s; a client ends when it has the last segment",
        "content.sizes: level 1 has a mean rate of 240 kbit/s, the ladder says 160 kbit/s",
    ]


def test_a_buffer_too_short_for_a_player_that_chooses_by_it(tmp_path: Path) -> None:
    document = {
        "name": "x",
        "experiment": {
            "duration": "60s",
            "content": {"ladder": ["1Mbit/s", "2.5Mbit/s", "16Mbit/s"], "segment": "2s"},
            "gateway": {"downlink": {"rate": "24Mbit/s", "queue": {"limit": "67packets"}}},
            "clients": [
                {"player": "bba1", "buffer": "15s", "count": 2},
                {"player": "bba1", "buffer": "15s", "options": {"cushion_s": 9.0}},
                {"player": "bba0", "buffer": "120s"},
                {"player": "bola", "buffer": "15s"},
            ],
        },
    }
    found = next(Expansion(parse_campaign(document, tmp_path)).runs()).experiment
    made_for = "map from buffer to rate is made for 240 s; with"
    assert notes(found) == [
        f"clients.0.buffer: bba1's {made_for} 15 s it leads to 1 of 16 Mbit/s at most",
        f"clients.3.buffer: bba0's {made_for} 120 s it leads to 2.5 of 16 Mbit/s at most",
    ]
