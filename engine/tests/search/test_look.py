"""How far a search is by the rows that there are, and what it asks for first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir.spec.search import Search
from weir_engine.row import Row
from weir_engine.search.first_round import first_round
from weir_engine.search.look import Look, looks
from weir_engine.search.most import runs_at_most

RATE = "gateway.downlink.rate"
CONTROL = "server.congestion_control"
ASKED = {"factor": RATE, "from": "1Mbit/s", "to": "9Mbit/s", "step": "1Mbit/s",
         "passes": {"metric": "drops_burst", "at_most": 0}, "confirm": 0}  # fmt: skip


def row(rate: int, control: str = "cubic", replicate: int = 0, **more: Any) -> Row:
    """A run that drops a packet for each Mbit/s that is missing to 6."""
    drops = max(0, 6 - rate)
    metrics: Any = {"run": {"drops_burst": drops}, "clients": []}
    values = {"state": "succeeded", "reason": "", "metrics": metrics, "path": Path(), **more}
    levels = {CONTROL: control, RATE: f"{rate}Mbit/s"}
    return Row(key=f"{rate}{control}", levels=levels, replicate=replicate, seed=1, **values)


def look_at(*rows: Row, **asked: Any) -> Look:
    (found,) = looks(Search.model_validate(ASKED | asked), list(rows))
    return found


def rates(look: Look) -> list[int]:
    return [int(levels[RATE].removesuffix("Mbit/s")) for levels, _ in look.wanted]


def test_what_is_wanted_narrows_down_to_the_level() -> None:
    rows = [row(1), row(9)]
    brackets = []
    while wanted := rates(look_at(*rows)):
        brackets.append(look_at(*rows).bracket)
        rows += map(row, wanted)
    told = look_at(*rows)
    assert told.end is not None
    assert told.end.level == "6Mbit/s"
    assert brackets == [
        ("1Mbit/s", "9Mbit/s"),
        ("5Mbit/s", "9Mbit/s"),
        ("5Mbit/s", "7Mbit/s"),
    ]
    assert [(trial.level, trial.passes) for trial in told.trials] == [
        ("1Mbit/s", False),
        ("5Mbit/s", False),
        ("6Mbit/s", True),
        ("7Mbit/s", True),
        ("9Mbit/s", True),
    ]


def test_a_run_that_waits_is_not_asked_for_twice() -> None:
    waiting = look_at(row(1), row(9), row(5, state="queued", metrics=None))
    assert (waiting.end, waiting.wanted) == (None, ())
    assert waiting.trials[1].passes is None


def test_all_replicates_of_a_level_are_asked_for_together() -> None:
    ends = [row(rate, replicate=k) for rate in (1, 9) for k in range(3)]
    assert [replicate for _, replicate in look_at(*ends).wanted] == [0, 1, 2]
    alone = looks(Search.model_validate({**ASKED, "per": "replicate"}), ends)
    assert [len(each.wanted) for each in alone] == [1, 1, 1]


def test_a_failed_run_ends_its_subject_and_no_other() -> None:
    failed = row(1, "reno", state="failed", reason="no disk", metrics=None)
    search = Search.model_validate(ASKED)
    cubic, reno = looks(search, [row(1), row(9), failed, row(9, "reno")])
    assert rates(cubic) == [5]
    assert reno.end is not None
    assert reno.end.level is None
    assert reno.end.reason == "at 1Mbit/s: the run 1reno is failed: no disk"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ["1Mbit/s", "9Mbit/s"] * 2),
        ({"start": "edf_rate_bps"}, ["1Mbit/s"] * 2),
        ({"start": "edf_rate_bps", "find": "largest"}, ["9Mbit/s"] * 2),
        ({"near": CONTROL}, ["1Mbit/s", "9Mbit/s", "1Mbit/s"]),
        ({"near": CONTROL, "find": "largest"}, ["1Mbit/s", "9Mbit/s", "9Mbit/s"]),
    ],
)
def test_a_campaign_begins_with_what_its_searches_ask_for_first(
    more: dict[str, Any], expected: list[str], tmp_path: Path
) -> None:
    raw = {
        "name": "few",
        "experiment": {
            "duration": "20s",
            "content": {"ladder": ["1Mbit/s"], "segment": "2s"},
            "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
            "clients": [{"player": "fixed", "options": {"level": 0}}],
        },
        "factors": {CONTROL: ["cubic", "reno"]},
        "search": {**ASKED, **more},
    }
    campaign = parse_campaign(raw, tmp_path)
    begins = Expansion(first_round(campaign))
    runs = list(begins.runs())
    assert [run.levels[RATE] for run in runs] == expected
    assert begins.count() == len(runs)
    assert [run.combination for run in runs] == list(range(len(runs)))
    assert runs_at_most(campaign, Expansion(campaign)) == 4 + 2 * (6 if more else 3)
