from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weir.errors import Problem, SpecError
from weir.expand import Expansion, replicate_seed
from weir.spec.campaign import Campaign
from weir.spec.factors import Grid, same_level
from weir.spec.load import parse_campaign
from weir.spec.overriding import parse_override
from weir_testing.cpu_time import cpu_time

CC, METHOD = "server.congestion_control", "gateway.shaping.method"


def campaign(overrides: dict[str, Any] | None = None, **keys: Any) -> Campaign:
    experiment = {
        "duration": "10s",
        "content": {"ladder": ["1Mbit/s"]},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
        "clients": [{"player": "bola"}, {"player": "bola"}],
    }
    return parse_campaign({"name": "x", "experiment": experiment, **keys}, Path(), overrides)


def problems_of(overrides: dict[str, Any] | None = None, **keys: Any) -> list[Problem]:
    with pytest.raises(SpecError) as refused:
        campaign(overrides, **keys)
    return refused.value.problems


def test_grid_times_replicates_in_order() -> None:
    found = campaign(factors={METHOD: ["none", "rwtm"], CC: ["cubic", "reno"]}, replicates=2)
    runs = list(Expansion(found).runs())
    assert Expansion(found).count() == len(runs) == 8
    assert [(r.levels[METHOD], r.levels[CC], r.replicate) for r in runs] == list(
        itertools.product(["none", "rwtm"], ["cubic", "reno"], [0, 1])
    )
    assert runs[2].experiment["server"]["congestion_control"] == "reno"
    assert runs[2].experiment is runs[3].experiment


def test_zip_and_exclude() -> None:
    found = campaign(
        factors={METHOD: ["none", "htbm", "rwtm"]},
        zip=[{"clients.0.start": ["0s", "5s"], CC: ["cubic", "reno"]}],
        exclude=[{METHOD: "rwtm", CC: "reno"}, {METHOD: "none"}],
    )
    levels = [tuple(run.levels.values()) for run in Expansion(found).runs()]
    assert levels == [("htbm", "0s", "cubic"), ("htbm", "5s", "reno"), ("rwtm", "0s", "cubic")]
    assert Expansion(found).count() == 3


def test_common_random_numbers() -> None:
    runs = list(Expansion(campaign(factors={CC: ["cubic", "reno"]}, replicates=3, seed=7)).runs())
    seeds = [run.seed for run in runs if run.levels[CC] == "cubic"]
    assert seeds == [run.seed for run in runs if run.levels[CC] == "reno"]
    assert seeds == [replicate_seed(7, k) for k in range(3)]
    assert len({*seeds, replicate_seed(8, 0)}) == 4
    # The value is part of every stored run key, so it may never change.
    assert replicate_seed(1, 0) == 7954211600456673332


@given(st.integers(0, 2**63 - 1), st.integers(0, 10**6))
def test_seeds_have_63_bits(seed: int, replicate: int) -> None:
    assert 0 <= replicate_seed(seed, replicate) < 2**63


def test_a_level_may_be_any_value() -> None:
    event = {"at": "3s", "for": "1s", "loss": "50%", "on": "uplink"}
    runs = list(Expansion(campaign(factors={"events": [[], [event]]})).runs())
    assert [run.levels["events"] for run in runs] == [[], [event]]
    assert runs[1].experiment["events"] == [{"at_s": 3.0, "for_s": 1.0, "loss": 0.5,
                                             "on": "uplink"}]  # fmt: skip


def test_overrides_come_before_factors_and_replace_them() -> None:
    keys: dict[str, Any] = {
        "factors": {METHOD: ["none", "rwtm"]},
        "zip": [{"clients.0.start": ["0s", "5s", "5s"], CC: ["cubic", "reno", "bbr"]}],
        "exclude": [{METHOD: "none", CC: "reno"}, {METHOD: "rwtm", "clients.0.start": "0s"}],
    }
    found = campaign({METHOD: "htbm", "duration": "20s"}, **keys)
    assert Expansion(found).count() == 3
    (run, *_) = Expansion(found).runs()
    assert run.levels[METHOD] == "htbm"
    assert run.experiment["duration_s"] == 20.0

    found = campaign({CC: "vegas"}, **keys)
    levels = [tuple(run.levels[path] for path in (METHOD, "clients.0.start", CC))
              for run in Expansion(found).runs()]  # fmt: skip
    assert levels == [("none", "0s", "vegas"), ("none", "5s", "vegas"), ("rwtm", "5s", "vegas")]


def test_bad_overrides() -> None:
    (problem,) = problems_of({"gateway.shapin.method": "rwtm"})
    assert problem.path == "--set gateway.shapin.method"
    assert "gateway.shaping.method?" in problem.remedy
    assert "has 2 entries" in problems_of({"clients.2.start": "1s"})[0].remedy
    assert (
        "would undo it"
        in problems_of({METHOD: "rwtm"}, factors={"gateway.shaping": [{}]})[0].remedy
    )
    assert problems_of({METHOD: "rwtn"})[0].remedy == "did you mean rwtm?"
    assert problems_of({METHOD: None})[0].path == f"--set {METHOD}"


def test_overrides_are_parsed_as_yaml() -> None:
    assert parse_override("clients.0.options.level=3") == ("clients.0.options.level", 3)
    assert parse_override("events=[]") == ("events", [])
    assert parse_override(f"{METHOD}=rwtm") == (METHOD, "rwtm")
    for bad in ("x", "=3", "a=[1"):
        with pytest.raises(SpecError):
            parse_override(bad)


@pytest.mark.parametrize(
    ("keys", "path", "remedy"),
    [
        ({"factors": {CC: []}}, f"factors.{CC}", "add a level"),
        ({"zip": [{CC: []}]}, f"zip.0.{CC}", "add a level"),
        ({"factors": {CC: "reno"}}, f"factors.{CC}", "write a list"),
        ({"factors": {"server.cc": ["reno"]}}, "factors.server.cc", "server has http"),
        ({"factors": {"clients.2.start": ["1s"]}}, "factors.clients.2.start", "2 entries"),
        ({"factors": {CC: ["reno", "reno"]}}, f"factors.{CC}[1]", "stands twice"),
        ({"factors": {CC: ["reno", "No!"]}}, f"factors.{CC}[1]", "change it"),
        ({"factors": {"clients.0": [{"player": "bolla"}]}}, "factors.clients.0[0].player", "bola?"),
        ({"factors": {"server": [{}], CC: ["a"]}}, f"factors.{CC}", "server is a factor already"),
        ({"zip": [{CC: ["a", "b"], METHOD: ["none"]}]}, "zip.0", "add or remove levels"),
        ({"factors": {CC: ["reno"]}, "exclude": [{CC: "reno"}]}, "exclude", "no combination"),
        ({"factors": {CC: ["reno"]}, "exclude": [{CC: "rono"}]}, f"exclude.0.{CC}", "mean reno?"),
        ({"exclude": [{CC: "reno"}]}, f"exclude.0.{CC}", "name a factor"),
    ],
)  # fmt: skip
def test_bad_factors(keys: dict[str, Any], path: str, remedy: str) -> None:
    (problem,) = problems_of(**keys)
    assert problem.path == path
    assert remedy in problem.remedy


def test_a_problem_elsewhere_names_the_levels_it_comes_from() -> None:
    factors = {"gateway.downlink.queue.discipline": ["drop-tail", "codel"]}
    (problem,) = problems_of({"gateway.downlink.queue.target": "5ms"}, factors=factors)
    assert problem.path == "experiment.gateway.downlink.queue.target"
    assert problem.remedy.endswith("(at discipline = drop-tail)")


def test_ten_thousand_runs_expand_fast_and_billions_are_counted_at_once() -> None:
    factors = {
        "gateway.path.rtt.mean": [f"{i}ms" for i in range(1, 26)],
        "gateway.downlink.rate": [f"{i}Mbit/s" for i in range(1, 21)],
    }
    with cpu_time() as once:
        assert len(list(Expansion(campaign(factors=factors, replicates=1)).runs())) == 500
    found = campaign(factors=factors, replicates=20)
    with cpu_time() as all_runs:
        assert len(list(Expansion(found).runs())) == 10_000
    # Each combination is built once.
    assert all_runs.cpu_s < 5 * once.cpu_s

    factors |= {"duration": [f"{i}s" for i in range(1, 101)], CC: ["cubic", "reno"]}
    exclude = [{"duration": "1s", CC: "reno"}]
    huge = campaign(factors=factors, exclude=exclude, replicates=1_000_000)
    with cpu_time() as counting:
        assert Expansion(huge).count() == 25 * 20 * 199 * 1_000_000
    assert counting.cpu_s < all_runs.cpu_s


_axes = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@settings(max_examples=200)
@given(_axes, st.data())
def test_counting_agrees_with_listing(sizes: list[int], data: st.DataObject) -> None:
    axes = [[{f"f{a}": level} for level in range(size)] for a, size in enumerate(sizes)]
    one = st.fixed_dictionaries(
        {}, optional={f"f{a}": st.integers(0, size - 1) for a, size in enumerate(sizes)}
    ).filter(bool)
    exclusions = data.draw(st.lists(one, max_size=4))
    points = [
        {key: value for part in parts for key, value in part.items()}
        for parts in itertools.product(*axes)
    ]
    kept = [p for p in points if not any(e.items() <= p.items() for e in exclusions)]
    grid = Grid(axes, exclusions)
    assert [grid.point(chosen) for chosen in grid.combinations()] == kept
    assert grid.count() == len(kept)


def test_levels_are_compared_as_written() -> None:
    assert same_level({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same_level(1, True)
    assert not same_level("8Mbit/s", "8000kbit/s")


def test_resolved_runs_survive_json() -> None:
    (run,) = Expansion(campaign()).runs()
    assert json.loads(json.dumps(run.experiment, allow_nan=False)) == run.experiment


def test_named_seeds_are_those_of_the_first_replicates() -> None:
    named = campaign(replicates=3, replicate_seeds=[5, 2**62])
    assert [run.seed for run in Expansion(named).runs()] == [5, 2**62, replicate_seed(1, 2)]
