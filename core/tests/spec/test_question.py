"""Campaigns that ask whether one level beats the other one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir_testing.platform.campaigns import SPEC

CC = {"server.congestion_control": ["cubic", "illinois"]}
ASKS = {"does": "illinois", "metric": "mean_bitrate_bps"}


def campaign(**changes: Any) -> Any:
    content = {**SPEC, "factors": CC, "question": ASKS, "replicates": 3, **changes}
    return parse_campaign(content, Path())


def problems(**changes: Any) -> dict[str, str]:
    with pytest.raises(SpecError) as refused:
        campaign(**changes)
    return {problem.path: str(problem.allowed) for problem in refused.value.problems}


def test_replicates_are_run_side_by_side() -> None:
    runs = list(Expansion(campaign()).runs())
    assert [(run.replicate, run.levels["server.congestion_control"]) for run in runs] == [
        (k, level) for k in range(3) for level in CC["server.congestion_control"]
    ]
    assert [run.combination for run in runs] == [0, 1] * 3
    assert Expansion(campaign()).count() == len(runs)
    assert list(Expansion(campaign()).runs(start=3)) == runs[3:]
    # The same runs as without the question, in another order.
    plain = list(Expansion(campaign(question=None)).runs())
    assert {(run.combination, run.replicate, run.seed) for run in plain} == {
        (run.combination, run.replicate, run.seed) for run in runs
    }


def test_levels_may_have_names_of_their_own() -> None:
    named = {"control": {"old": {"server.congestion_control": "cubic"}, "new": {}}}
    runs = list(Expansion(campaign(factors=named, question={**ASKS, "does": "new"})).runs())
    assert [run.levels["control"] for run in runs[:2]] == ["old", "new"]


def test_a_chosen_level_leaves_nothing_to_ask() -> None:
    content = {**SPEC, "factors": CC, "question": ASKS}
    chosen = parse_campaign(content, Path(), {"server.congestion_control": "illinois"})
    assert chosen.question is None


def test_what_cannot_be_asked_is_refused() -> None:
    assert problems(question={**ASKS, "does": "vegas"}) == {"question.does": "cubic, illinois"}
    assert "mean_bitrate_bps" in problems(question={**ASKS, "metric": "nope"})["question.metric"]
    neither = problems(question={**ASKS, "metric": "play_s"})
    assert "play_s" not in neither["question.metric"].split(", ")
    assert problems(question={**ASKS, "matters": "2 percent"}) == {
        "question.matters": "a share such as 2%, or a number from 0"
    }
    three = {"server.congestion_control": ["cubic", "illinois", "reno"]}
    assert "question" in problems(factors=three)
    assert "question" in problems(factors={**CC, "duration": ["10s", "20s"]})
    assert "question" in problems(factors={})
    assert "replicates" in problems(replicates=1001)
    assert "exclude" in problems(exclude=[{"server.congestion_control": "cubic"}])
