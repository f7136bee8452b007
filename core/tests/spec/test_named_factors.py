"""Factors with named levels, and replicates that follow levels."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.spec.campaign import Campaign
from weir.spec.load import parse_campaign
from weir.spec.overriding import parse_override

LIMIT = "gateway.downlink.queue.limit"
QUEUE: dict[str, Any] = {
    "drop-tail": {"gateway.downlink.queue.discipline": "drop-tail"},
    "codel": {
        "gateway.downlink.queue.discipline": "codel",
        "gateway.downlink.queue.interval": "80ms",
    },
}
SHARES: dict[str, Any] = {
    "1.5": {"gateway.downlink.rate": "1.5Mbit/s"},
    "falling": {
        "gateway.downlink.rate": {
            "steps": [{"at": "0s", "rate": "4Mbit/s"}, {"at": "5s", "rate": "2Mbit/s"}]
        }
    },
}


def campaign(overrides: dict[str, Any] | None = None, **keys: Any) -> Campaign:
    experiment = {
        "duration": "10s",
        "content": {"ladder": ["1Mbit/s"]},
        "gateway": {
            "downlink": {"rate": "8Mbit/s", "per_client": True, "queue": {"limit": "1bdp"}},
            "path": {"rtt": {"mean": "100ms"}},
        },
        "clients": [{"player": "bola"}],
    }
    return parse_campaign({"name": "x", "experiment": experiment, **keys}, Path(), overrides)


def problems_of(overrides: dict[str, Any] | None = None, **keys: Any) -> list[Problem]:
    with pytest.raises(SpecError) as refused:
        campaign(overrides, **keys)
    return refused.value.problems


def test_a_level_sets_several_fields_and_is_known_by_its_name() -> None:
    found = campaign(
        factors={"queue": QUEUE, LIMIT: ["1bdp", "5packets"]},
        exclude=[{"queue": "codel", LIMIT: "5packets"}],
    )
    runs = list(Expansion(found).runs())
    assert [run.levels for run in runs] == [
        {"queue": "drop-tail", LIMIT: "1bdp"},
        {"queue": "drop-tail", LIMIT: "5packets"},
        {"queue": "codel", LIMIT: "1bdp"},
    ]
    queues: list[Any] = [run.experiment["gateway"]["downlink"]["queue"] for run in runs]
    assert [queue["limit_packets"] for queue in queues] == [67, 5, 67]
    assert [queue["options"].get("interval_s") for queue in queues] == [None, None, 0.08]


def test_a_rate_per_client_grows_with_their_number() -> None:
    runs = list(Expansion(campaign(factors={"clients.0.count": [1, 3], "share": SHARES})).runs())
    links: list[Any] = [run.experiment["gateway"]["downlink"] for run in runs]
    assert [link["rate_steps"] for link in links] == [
        [[0.0, 1.5e6]], [[0.0, 4e6], [5.0, 2e6]], [[0.0, 4.5e6]], [[0.0, 12e6], [5.0, 6e6]],
    ]  # fmt: skip
    # One BDP is that of the whole link, at its mean rate: 1.5, 3, 4.5 and 9 Mbit/s times 100 ms.
    assert [link["queue"]["limit_packets"] for link in links] == [13, 25, 38, 75]


def test_a_level_is_chosen_by_its_name() -> None:
    factors = {"queue": QUEUE, "share": SHARES}
    exclude = [{"queue": "drop-tail", "share": "falling"}]
    (run,) = Expansion(
        campaign(dict([parse_override("share=1.5")]), factors={"share": SHARES}, exclude=[])
    ).runs()
    assert run.levels == {"share": "1.5"}
    (run,) = Expansion(
        campaign({"queue": "codel", "share": "falling"}, factors=factors, exclude=exclude)
    ).runs()
    assert run.levels == {"queue": "codel", "share": "falling"}
    (problem,) = problems_of({"queue": "pie"}, factors=factors)
    assert (problem.path, problem.allowed) == ("--set queue", "drop-tail, codel")
    (problem,) = problems_of({"gateway.downlink.rate": "1Mbit/s"}, factors=factors)
    assert "share sets that place" in problem.remedy


@pytest.mark.parametrize(
    ("keys", "path", "remedy"),
    [
        ({"factors": {"q": {}}}, "factors.q", "add a level"),
        ({"factors": {"q": {"a": {}}}}, "factors.q", "add a path"),
        ({"factors": {"server": {"a": {"duration": "1s"}}}}, "factors.server", "another name"),
        ({"factors": {"a.b": {"a": {"duration": "1s"}}}}, "factors.a.b", "rename it"),
        ({"factors": {"q": {"a": {"duratoin": "1s"}}}}, "factors.q.duratoin", "mean duration?"),
        ({"factors": {"q": {"a": {"duration": "1x"}}}}, "factors.q.a.duration", "100ms"),
        ({"factors": {"q": {"a": {"clients.1.start": "1s"}}}}, "factors.q.a.clients.1.start",
         "1 entries"),
        ({"factors": {"q": {"a": {"duration": "1s"}}, "duration": ["1s"]}}, "factors.duration",
         "keep one"),
        ({"factors": {"q": QUEUE}, "exclude": [{"q": "kodel"}]}, "exclude.0.q", "mean codel?"),
        ({"factors": {"q": QUEUE}, "replicates_where": [{"levels": {"q": "cod"}, "replicates": 1}]},
         "replicates_where.0.levels.q", "mean codel?"),
        ({"replicates_where": [{"levels": {}, "replicates": 1}]}, "replicates_where.0.levels", ""),
        ({"factors": {"q": QUEUE}, "replicates_where": [{"levels": {"q": "codel"},
         "replicates": 0}]}, "replicates_where.0.replicates", ""),
    ],
)  # fmt: skip
def test_bad_names_and_levels(keys: dict[str, Any], path: str, remedy: str) -> None:
    (problem,) = problems_of(**keys)
    assert problem.path == path
    assert remedy in problem.remedy


def test_replicates_follow_levels() -> None:
    rules = [{"levels": {"queue": "codel"}, "replicates": 3}]
    found = campaign(factors={"queue": QUEUE}, replicates=2, replicates_where=rules)
    runs = list(Expansion(found).runs())
    assert [(run.levels["queue"], run.replicate) for run in runs] == [
        ("drop-tail", 0), ("drop-tail", 1), ("codel", 0), ("codel", 1), ("codel", 2),
    ]  # fmt: skip
    assert runs[0].seed == runs[2].seed
    # Asked for on the command line, the number holds for all; a rule goes with its level.
    document = {"name": "x", "experiment": dict(found.experiment), "factors": {"queue": QUEUE},
                "replicates": 2, "replicates_where": rules}  # fmt: skip
    assert Expansion(parse_campaign(document, Path(), replicates=1)).count() == 2
    assert Expansion(parse_campaign(document, Path(), {"queue": "drop-tail"})).count() == 2
    assert Expansion(parse_campaign(document, Path(), {"queue": "codel"})).count() == 3


_levels = st.fixed_dictionaries(
    {}, optional={"duration": st.sampled_from(["1s", "2s"]), "seg": st.sampled_from(["a", "b"])}
).filter(bool)


@given(st.lists(_levels, max_size=2), st.lists(st.tuples(_levels, st.integers(1, 4)), max_size=3))
def test_counting_agrees_with_listing(exclude: list[Any], rules: list[Any]) -> None:
    factors = {
        "duration": ["1s", "2s"],
        "seg": {"a": {"content.segment": "1s"}, "b": {"content.segment": "2s"}},
    }
    kept = [
        {"duration": duration, "seg": seg}
        for duration, seg in itertools.product(factors["duration"], factors["seg"])
        if not any(e.items() <= {"duration": duration, "seg": seg}.items() for e in exclude)
    ]
    if not kept:
        return
    where = [{"levels": levels, "replicates": number} for levels, number in rules]
    found = campaign(factors=factors, exclude=exclude, replicates_where=where, replicates=5)
    wanted = [
        next((n for levels, n in rules if levels.items() <= point.items()), 5) for point in kept
    ]
    assert Expansion(found).count() == len(list(Expansion(found).runs())) == sum(wanted)
