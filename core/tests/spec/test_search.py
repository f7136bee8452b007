"""A search's levels, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir.errors import SpecError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir.spec.search import Search
from weir.spec.search_levels import levels_of, number_of
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
    assert [*found] == ["1Mbit/s", "1.25Mbit/s", "1.5Mbit/s", "1.75Mbit/s", "2Mbit/s"]
    assert [number_of(level) for level in found[:2]] == [1e6, 1.25e6]
    runs = list(Expansion(campaign(tmp_path, RATE, replicates=2)).runs())
    assert [(run.levels["gateway.downlink.rate"], run.replicate) for run in runs] == [
        ("1Mbit/s", 0), ("1Mbit/s", 1), ("2Mbit/s", 0), ("2Mbit/s", 1),
    ]  # fmt: skip


def test_whole_numbers_and_limits_are_searched_too() -> None:
    count = RATE | {"factor": "clients.0.count", "from": 1, "to": 9, "step": 4}
    assert [*levels_of(Search.model_validate(count))] == [1, 5, 9]
    limit = RATE | {"from": "0.5bdp", "to": "1.5bdp", "step": "0.5bdp"}
    assert [*levels_of(Search.model_validate(limit))] == ["0.5bdp", "1bdp", "1.5bdp"]


def test_levels_lead_down_and_are_found_by_their_number() -> None:
    up = levels_of(Search.model_validate(RATE))
    down = up.downwards()
    assert [*down] == [*reversed([*up])]
    assert [up.reaching(number) for number in (0, 1e6, 1.1e6, 2e6, 3e6)] == [0, 0, 1, 4, 5]
    assert [down.reaching(number) for number in (3e6, 2e6, 1.1e6, 1e6, 0)] == [0, 0, 4, 4, 5]


def test_a_million_levels_are_made_when_asked_for() -> None:
    many = RATE | {"from": "1bit/s", "to": "1Mbit/s", "step": "1bit/s"}
    found = levels_of(Search.model_validate(many))
    assert (len(found), found[0], found[-1]) == (1_000_000, "1bit/s", "1000000bit/s")
    assert found.reaching(654_321) == 654_320


@pytest.mark.parametrize(
    ("change", "path", "value", "says"),
    [
        ({"step": "0kbit/s"}, "step", "0kbit/s", "needs steps"),
        ({"step": "0"}, "step", "0", "needs steps"),
        ({"step": "300kbit/s"}, "to", "2Mbit/s", "change to or step"),
        ({"step": "1bit/s", "to": "9Mbit/s"}, "step", "1bit/s", "raise step"),
        ({"step": "1e-300bit/s"}, "step", "1e-300bit/s", "raise step"),
        ({"to": "1.1Mbit/s"}, "to", "1.1Mbit/s", "raise to"),
        ({"to": "0.5Mbit/s"}, "to", "0.5Mbit/s", "swap from and to"),
        ({"to": "9s"}, "to", "9s", "unit"),
        ({"to": "99999999999Gbit/s"}, "to", "99999999999Gbit/s", "too large"),
        ({"from": "fast"}, "from", "fast", "write one"),
        ({"from": 1}, "to", "2Mbit/s", "write one"),
        ({"from": 1.5}, "from", 1.5, "as a level of the factor"),
        ({"from": True}, "from", True, "as a level of the factor"),
        ({"from": 1, "to": 9, "step": 1}, "from", 1, "add the unit"),
        ({"from": "0Mbit/s"}, "from", "0Mbit/s", "write for example"),
        ({"passes": {"metric": "stall_cont", "at_most": 0}}, "passes.metric", "stall_cont",
         "did you mean stall_count?"),
        ({"passes": {"metric": "searched_level", "at_most": 0}}, "passes.metric",
         "searched_level", "it is one of a search"),
        ({"start": "edf"}, "start", "edf", "lists them"),
        ({"start": "stall_count"}, "start", "stall_count", "it is one of a client"),
        ({"passes": {"metric": "stall_count"}}, "passes", None, "name a bound"),
        ({"passes": {"metric": "stall_count", "at_least": 2, "at_most": 1}}, "passes.at_least", 2,
         "swap them"),
        ({"factor": "gateway.downlink.rat"}, "factor", "gateway.downlink.rat", "did you mean"),
        ({"factor": "clients.9.buffer"}, "factor", "clients.9.buffer", "add one or lower 9"),
        ({"factor": "server.congestion_control", "from": 1, "to": 9, "step": 1}, "factor",
         "server.congestion_control", "as a factor instead"),
        ({"factor": "gateway.downlink"}, "factor", "gateway.downlink", "as a factor instead"),
        ({"factor": "duration"}, "factor", "duration", "is a factor already"),
        ({"factor": "gateway.downlink.queue.limit", "from": "2packets", "to": "4packets",
          "step": "0.5packets"}, "step", "2.5packets", "write whole packets"),
        ({"near": "durations"}, "near", "durations", "did you mean duration?"),
        ({"near": "gateway.downlink.rate"}, "near", "gateway.downlink.rate", "name a factor"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(
    tmp_path: Any, change: dict[str, Any], path: str, value: Any, says: str
) -> None:
    with pytest.raises(SpecError) as refused:
        campaign(tmp_path, RATE | change, factors={"duration": ["60s", "90s"]})
    told = {problem.path: problem for problem in refused.value.problems}
    assert says in told[f"search.{path}"].remedy
    assert told[f"search.{path}"].value == value
    assert told[f"search.{path}"].allowed


@pytest.mark.parametrize("level", ["1Mbit/s", "1.25Mbit/s"])
def test_searched_levels_are_the_searchs_own(tmp_path: Any, level: str) -> None:
    """Left out, or run otherwise, bisection would miss them."""
    rule = {"gateway.downlink.rate": level}
    more = {
        "exclude": [rule],
        "replicates_where": [{"levels": rule, "replicates": 2}],
        "factors": {"duration": ["60s", "90s"]},
    }
    with pytest.raises(SpecError) as refused:
        campaign(tmp_path, RATE, **more)
    assert [(each.path, each.allowed) for each in refused.value.problems] == [
        ("exclude.0.gateway.downlink.rate", "factors: duration"),
        ("replicates_where.0.levels.gateway.downlink.rate", "factors: duration"),
    ]


def test_an_override_of_the_searched_path_is_one_run_there(tmp_path: Any) -> None:
    asked = {**document(), "search": RATE}
    one = parse_campaign(asked, tmp_path, {"gateway.downlink.rate": "3Mbit/s"})
    (run,) = Expansion(one).runs()
    assert run.experiment["gateway"]["downlink"]["rate_steps"] == [[0.0, 3e6]]
