"""What may be asked of a film that is made while it is watched, and how it is told what may not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir_testing.live_film import LIVE
from weir_testing.spec import document, problems_of, resolved

DASHJS: list[dict[str, Any]] = [{"player": "dashjs"}]
SESSIONS = {"groups": [{"kind": "download", "size": "2MB"}]}


def live(**fields: Any) -> dict[str, Any]:
    """An experiment's fields: dash.js plays a live film."""
    return {"clients": DASHJS, "content__live": fields}


def problems_of_runs(raw: dict[str, Any], folder: Path = Path()) -> list[Problem]:
    """What is found only when its runs are made."""
    with pytest.raises(SpecError) as refused:
        list(Expansion(parse_campaign(raw, folder)).runs())
    return refused.value.problems


def test_it_is_resolved_with_its_defaults() -> None:
    assert resolved(**live())["content"]["live"] == LIVE


def test_without_chunks_segments_are_whole() -> None:
    assert resolved(**live(chunk=None))["content"]["live"]["chunk_s"] == 2.0


def test_other_films_say_nothing_of_it() -> None:
    assert "live" not in resolved(clients=DASHJS)["content"]


@pytest.mark.parametrize(
    ("experiment", "path", "said"),
    [
        (live(chunk="3s"), "content.live.chunk", "a segment has equal chunks"),
        (live(chunk="300ms"), "content.live.chunk", "a segment, 2s, or a half, a third"),
        (live(target_latency="400ms"), "content.live.target_latency", "at least a chunk, 0.5s"),
        (live(max_latency="3s"), "content.live.max_latency", "above target_latency, 3s"),
        (live(max_playback_rate=0.9), "content.live.max_playback_rate", "than or equal to 1"),
        (live(min_playback_rate=1.1), "content.live.min_playback_rate", "than or equal to 1"),
        (live(time_shift_buffer="4s"), "content.live.time_shift_buffer", "and a segment, 5s"),
        (live(traget="3s"), "content.live.traget", "did you mean"),
        ({**live(), "clock": "real"}, "clock", "virtual where"),
        ({**live(), "server": {"http": "apache"}}, "server.http", "nginx with content.live"),
        ({**live(), "clients": [{"player": "bola"}]}, "clients.0.player", "choose dashjs"),
        ({**live(), "clients": [*DASHJS, {"player": "hlsjs"}]}, "clients.1.player", "your own in"),
        ({**live(), "clients": [], "sessions": SESSIONS}, "content.live", "films of their own"),
        ({**live(), "clients": [{"player": "chromium"}]}, "clients.0.player", "choose dashjs"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_makes_no_sense_is_refused(experiment: dict[str, Any], path: str, said: str) -> None:
    found = {problem.path.removeprefix("experiment."): problem for problem in
             problems_of(document(**experiment))}  # fmt: skip
    assert said in str(found[path])


@pytest.mark.parametrize(
    ("content", "path", "said"),
    [
        # A time-shift buffer of 30 s and 180 s are 105 segments.
        ({"segments": 104, "live": {}}, "content.segments", "at least 105"),
        ({"ladder": ["2kbit/s", "1Mbit/s"], "live": {}}, "content.live.chunk", "200 bytes"),
    ],
)
def test_so_is_a_film_that_is_too_short_or_too_small(
    content: dict[str, Any], path: str, said: str
) -> None:
    fields = {"ladder": ["1Mbit/s"], **content}
    (problem,) = problems_of_runs(document(clients=DASHJS, content=fields))
    assert problem.path == f"experiment.{path}" and said in str(problem)


def test_a_player_that_is_brought_must_be_in_the_browser(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own/package.json").write_text(json.dumps({"main": "main.cjs"}))
    (tmp_path / "own/main.cjs").write_text("")
    (problem,) = problems_of_runs(
        document(clients=[{"player": "./own/"}], content__live={}), tmp_path
    )
    assert problem.path == "experiment.clients.0.player" and "browser" in problem.remedy
