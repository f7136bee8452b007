"""A search's levels, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.spec import parse_campaign
from weir.spec.search import Search, levels_of, number_of
from weir_testing.spec import document

RATE = {
    "factor": "gateway.downlink.rate",
    "from": "1Mbit/s",
    "to": "2Mbit/s",
    "step": "250kbit/s",
    "passes": {"metric": "stall_count", "at_most": 0},
}


def campaign(tmp_path: Any, search: dict[str, Any], **more: Any) -> Any:
    asked = {**document(), "search": search, **more}
    return parse_campaign(asked, tmp_path)


def test_levels_are_written_in_the_unit_of_from(tmp_path: Any) -> None:
    found = levels_of(Search.model_validate(RATE))
    assert found == ["1Mbit/s", "1.25Mbit/s", "1.5Mbit/s", "1.75Mbit/s", "2Mbit/s"]
    assert [number_of(level) for level in found[:2]] == [1e6, 1.25e6]
    runs = list(Expansion(campaign(tmp_path, RATE, replicates=2)).runs())
    assert [(run.levels["gateway.downlink.rate"], run.replicate) for run in runs] == [
        ("1Mbit/s", 0), ("1Mbit/s", 1), ("2Mbit/s", 0), ("2Mbit/s", 1),
    ]  # fmt: skip


def test_whole_numbers_and_limits_are_searched_too() -> None:
    count = RATE | {"factor": "clients.0.count", "from": 1, "to": 9, "step": 4}
    assert levels_of(Search.model_validate(count)) == [1, 5, 9]
    limit = RATE | {"from": "0.5bdp", "to": "1.5bdp", "step": "0.5bdp"}
    assert levels_of(Search.model_validate(limit)) == ["0.5bdp", "1bdp", "1.5bdp"]


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        ({"step": "0kbit/s"}, "search.step", "needs steps"),
        ({"step": "0"}, "search.step", "needs steps"),
        ({"step": "300kbit/s"}, "search.to", "change to or step"),
        ({"to": "1.1Mbit/s"}, "search.to", "raise to"),
        ({"to": "9s"}, "search.to", "unit"),
        ({"from": "fast"}, "search.from", "write one"),
        ({"from": 1}, "search.to", "write one"),
        ({"passes": {"metric": "stalls", "at_most": 0}}, "search.passes.metric", "lists them"),
        ({"start": "edf"}, "search.start", "lists them"),
        ({"passes": {"metric": "stall_count"}}, "search.passes", "name a bound"),
        ({"factor": "gateway.downlink.rat"}, "search.gateway.downlink.rat", "did you mean"),
        ({"factor": "duration"}, "search.factor", "is a factor already"),
        ({"near": "durations"}, "search.near", "did you mean duration?"),
        ({"near": "gateway.downlink.rate"}, "search.near", "name a factor"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Any, change: dict[str, Any], path: str, says: str) -> None:
    with pytest.raises(SpecError) as refused:
        campaign(tmp_path, RATE | change, factors={"duration": ["60s", "90s"]})
    told = {problem.path: problem for problem in refused.value.problems}
    assert says in told[path].remedy


def test_an_override_of_the_searched_path_is_one_run_there(tmp_path: Any) -> None:
    asked = {**document(), "search": RATE}
    one = parse_campaign(asked, tmp_path, {"gateway.downlink.rate": "3Mbit/s"})
    (run,) = Expansion(one).runs()
    assert run.experiment["gateway"]["downlink"]["rate_steps"] == [[0.0, 3e6]]
