"""Numbers over many runs, against the same numbers computed from the run directories."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control
from weir import stats
from weir.metrics import CATALOG
from weir.rundir import load
from weir_engine import jsonfile
from weir_engine.parting import partings
from weir_testing.platform import Platform
from weir_testing.platform.results import Made, make_runs, store

API = "/api/v1"
CC, SHAPING = "server.congestion_control", "gateway.shaping.method"
METRIC = "mean_bitrate_bps"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    return make_runs(folder)


@pytest.fixture(scope="module")
def other(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The same seeds on another link, and one level more of a factor."""
    folder = tmp_path_factory.mktemp("other")
    experiment = made.spec["experiment"] | {"duration": "30s"}
    factors = {**made.spec["factors"], CC: ["cubic", "reno", "illinois"]}
    return make_runs(folder, experiment=experiment, factors=factors)


def _values(made: Made, rank: int | None, **levels: str) -> dict[int, float]:
    """Seed -> METRIC of the client of that rank, or the mean over clients."""
    found = {}
    for run, key in zip(made.runs, made.keys, strict=True):
        if all(run.levels[path] == level for path, level in levels.items()):
            clients = jsonfile.read(made.folders[key] / "metrics.json")["clients"]
            chosen = [each[METRIC] for each in clients if rank in {None, each["rank"]}]
            found[run.seed] = float(np.mean(chosen))
    return found


def _get(platform: Platform, path: str, **params: Any) -> Any:
    answer = platform.client("read").get(API + path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("rank", [None, 1, 2])
def test_cells_are_means_over_replicates(platform: Platform, made: Made, rank: int | None) -> None:
    campaign = store(platform, made)
    chosen = {} if rank is None else {"client": rank}
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, **chosen}
    found = _get(platform, f"/campaigns/{campaign}/aggregate", **asked)
    assert len(found["groups"]) == 4
    for cell in found["groups"]:
        values = list(_values(made, rank, **cell["levels"]).values())
        expected = stats.summary(values)
        assert (cell["n"], cell["mean"]) == (3, pytest.approx(expected.mean))
        assert (cell["ci_low"], cell["ci_high"]) == pytest.approx(
            (expected.ci_low, expected.ci_high)
        )
        assert (cell["min"], cell["max"]) == pytest.approx((min(values), max(values)))
        assert cell["quantiles"][2] == pytest.approx(np.median(values))


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Runs whose replicates all come out as the first one."""
    found = make_runs(tmp_path_factory.mktemp("alike"))
    first: dict[str, Path] = {}
    for run, key in zip(found.runs, found.keys, strict=True):
        own = found.folders[key] / "metrics.json"
        own.write_bytes(first.setdefault(str(run.levels), own).read_bytes())
    return found


def test_replicates_that_are_all_alike_have_no_interval(platform: Platform, alike: Made) -> None:
    campaign = store(platform, alike)
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING}
    for cell in _get(platform, f"/campaigns/{campaign}/aggregate", **asked)["groups"]:
        assert (cell["n"], cell["distinct"]) == (3, 1)
        assert cell["sd"] is cell["ci_low"] is cell["ci_high"] is None
    for group in _get(platform, f"/campaigns/{campaign}/values", **asked)["groups"]:
        assert (group["n"], group["distinct"]) == (3, 1)
    # Two combinations of one run each, whatever their replicates.
    pooled = _get(platform, f"/campaigns/{campaign}/aggregate", metric=METRIC, rows=CC)["groups"]
    for cell in pooled:
        values = list(_values(alike, None, **cell["levels"], **{SHAPING: "none"}).values())[:1]
        values += list(_values(alike, None, **cell["levels"], **{SHAPING: "rwtm"}).values())[:1]
        expected = stats.summary(values)
        assert (cell["n"], cell["distinct"]) == (6, 2)
        assert (cell["ci_low"], cell["ci_high"]) == pytest.approx(
            (expected.ci_low, expected.ci_high)
        )


def test_pairs_that_are_all_alike_have_no_p(platform: Platform, alike: Made) -> None:
    campaign = store(platform, alike)
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, "row": "cubic", "column": "none"}
    pairs = _get(platform, f"/campaigns/{campaign}/contrasts", **asked)["pairs"]
    assert len(pairs) == 3
    for pair in pairs:
        assert (pair["n"], pair["distinct"], pair["a"]["distinct"]) == (3, 1, 1)
        assert pair["p_value"] is pair["p_adjusted"] is pair["better"] is None
        assert pair["ci_low"] is pair["ci_high"] is None
        assert pair["difference"] == pytest.approx(pair["mean_b"] - pair["mean_a"])


def test_what_failed_its_checks_is_never_averaged(platform: Platform, made: Made) -> None:
    states = {0: "invalid", 1: "failed"}
    campaign = store(platform, made, state_of=lambda p: states.get(p, "succeeded"))
    found = _get(
        platform, f"/campaigns/{campaign}/aggregate", metric=METRIC, rows=CC, columns=SHAPING
    )
    first = next(cell for cell in found["groups"] if cell["levels"] == made.runs[0].levels)
    last = _values(made, None, **made.runs[0].levels)[made.runs[2].seed]
    assert (first["n"], first["mean"]) == (1, pytest.approx(last))
    assert first["ci_low"] is None
    assert found["not_averaged"] == {"invalid": 1, "failed": 1}


def test_levels_choose_and_other_factors_are_pooled(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    path = f"/campaigns/{campaign}/aggregate"
    by_one = _get(platform, path, metric=METRIC, rows=CC)
    assert [(cell["levels"], cell["n"]) for cell in by_one["groups"]] == [
        ({CC: "cubic"}, 6),
        ({CC: "reno"}, 6),
    ]
    chosen = _get(platform, path, metric=METRIC, rows=CC, **{f"level.{SHAPING}": "rwtm"})
    for cell in chosen["groups"]:
        expected = list(_values(made, None, **cell["levels"], **{SHAPING: "rwtm"}).values())
        assert cell["mean"] == pytest.approx(np.mean(expected))
    refused = platform.client("read").get(API + path, params={"metric": METRIC, "rows": "no.such"})
    assert refused.json()["problems"][0]["path"] == "rows"
    refused = platform.client("read").get(API + path, params={"metric": "bitrate"})
    assert refused.status_code == 422


def test_factors_come_by_how_much_of_the_variance_they_explain(
    platform: Platform, made: Made
) -> None:
    campaign = store(platform, made)
    found = _get(platform, f"/campaigns/{campaign}/effects", metric=METRIC)["effects"]
    runs = [
        value
        for cc in ("cubic", "reno")
        for shaping in ("none", "rwtm")
        for value in _values(made, None, **{CC: cc, SHAPING: shaping}).values()
    ]
    assert {each["factor"] for each in found} == {CC, SHAPING}
    assert [each["share"] for each in found] == sorted(
        (each["share"] for each in found), reverse=True
    )
    total = np.var(runs)
    for each in found:
        other = SHAPING if each["factor"] == CC else CC
        means = [
            np.mean(
                [
                    value
                    for beside in made.spec["factors"][other]
                    for value in _values(
                        made, None, **{each["factor"]: level, other: beside}
                    ).values()
                ]
            )
            for level in made.spec["factors"][each["factor"]]
        ]
        assert each["share"] == pytest.approx(np.var(means) / total)


def test_values_name_their_runs(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    path = f"/campaigns/{campaign}/values"
    (group,) = _get(platform, path, metric=METRIC, client=1)["groups"]
    assert group["n"] == len(made.runs)
    assert group["values"] == sorted(group["values"])
    for run, value in zip(group["runs"][:3], group["values"], strict=False):
        clients = _get(platform, f"/runs/{run}/metrics")["clients"]
        first = next(each for each in clients if each["rank"] == 1)
        assert first["values"][METRIC] == pytest.approx(value)
    (few,) = _get(platform, path, metric=METRIC, client=1, most=4)["groups"]
    assert few["n"] == group["n"]
    assert len(few["values"]) == 4
    assert (few["values"][0], few["values"][-1]) == (group["values"][0], group["values"][-1])


def test_the_table_has_a_row_per_run_and_client(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "invalid" if p == 0 else "succeeded")
    url = f"{API}/campaigns/{campaign}/table.csv"
    rows = list(csv.DictReader(io.StringIO(platform.client("read").get(url).text)))
    assert len(rows) == 2 * (len(made.runs) - 1)
    assert set(CATALOG) <= rows[0].keys()
    for row in rows:
        entry = jsonfile.read(made.folders[row["key"]] / "metrics.json")["clients"]
        own = next(each for each in entry if each["client"] == int(row["client"]))
        assert float(row[METRIC]) == own[METRIC]
        assert row[CC] in {"cubic", "reno"}
    everything = platform.client("read").get(url, params={"include_invalid": True})
    assert len(everything.text.splitlines()) == 1 + 2 * len(made.runs)
    chosen = platform.client("read").get(url, params={f"level.{CC}": "reno"})
    assert len(chosen.text.splitlines()) == 1 + len(made.runs)


def test_campaigns_are_compared_by_levels_and_seeds(
    platform: Platform, made: Made, other: Made
) -> None:
    a, b = store(platform, made), store(platform, other)
    found = _get(platform, "/compare", a=str(a), b=str(b), metric=METRIC, client=1)
    assert len(found["pairs"]) == 4
    assert found["only_a"] == []
    assert {levels[CC] for levels in found["only_b"]} == {"illinois"}
    for pair in found["pairs"]:
        left, right = _values(made, 1, **pair["levels"]), _values(other, 1, **pair["levels"])
        expected = stats.compare_paired(left, right)
        assert pair["n"] == 3
        assert pair["difference"] == pytest.approx(expected.difference)
        if pair["p_value"] is not None:
            assert pair["p_value"] == pytest.approx(expected.p_value)
            assert pair["p_adjusted"] >= pair["p_value"] - 1e-12
    same = _get(platform, "/compare", a=str(a), b=str(a), metric=METRIC)
    assert [pair["difference"] for pair in same["pairs"]] == [0.0] * 4
    assert [pair["better"] for pair in same["pairs"]] == [None] * 4


def test_cells_are_compared_with_one_of_them(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    base = {CC: "cubic", SHAPING: "none"}
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, "row": "cubic", "column": "none"}
    found = _get(platform, f"/campaigns/{campaign}/contrasts", **asked)
    assert found["base"] == base
    assert [pair["levels"] for pair in found["pairs"]].count(base) == 0
    assert len(found["pairs"]) == 3
    left = _values(made, None, **base)
    for pair in found["pairs"]:
        right = _values(made, None, **pair["levels"])
        expected = stats.compare_paired(left, right)
        assert pair["n"] == 3
        assert pair["mean_a"] == pytest.approx(np.mean(list(left.values())))
        assert pair["difference"] == pytest.approx(expected.difference)
        assert pair["p_value"] == pytest.approx(expected.p_value, nan_ok=True)


def test_all_metrics_are_scored_against_a_level(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    found = _get(platform, f"/campaigns/{campaign}/scorecard", factor=SHAPING, against="none")
    assert (found["factor"], found["by"]) == (SHAPING, [CC])
    assert {metric["name"] for metric in found["metrics"]} == {
        score["metric"] for score in found["scores"]
    }
    own = [score for score in found["scores"] if score["metric"] == METRIC]
    assert [score["levels"] for score in own] == [
        {CC: cc, SHAPING: "rwtm"} for cc in ("cubic", "reno")
    ]
    for score in own:
        cc = score["levels"][CC]
        left = _values(made, None, **{CC: cc, SHAPING: "none"})
        right = _values(made, None, **{CC: cc, SHAPING: "rwtm"})
        expected = stats.compare_paired(left, right)
        assert score["difference"] == pytest.approx(expected.difference)
        assert score["p_value"] == pytest.approx(expected.p_value, nan_ok=True)
    # Held over all scores of all metrics, not over each metric's own.
    known = [score for score in found["scores"] if score["p_value"] is not None]
    adjusted = false_discovery_control([score["p_value"] for score in known])
    assert [score["p_adjusted"] for score in known] == pytest.approx(adjusted.tolist())


def test_a_scorecard_pools_factors_that_are_not_kept_apart(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    asked = {"factor": SHAPING, "against": "none", "by": "", "metric": METRIC}
    (score,) = _get(platform, f"/campaigns/{campaign}/scorecard", **asked)["scores"]
    assert (score["levels"], score["n"]) == ({SHAPING: "rwtm"}, 3)


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"factor": "player"}, "factor"),
        ({"against": "bbr"}, "against"),
        ({"by": "player"}, "by"),
        ({"metric": "bitrate"}, "metric"),
    ],
)
def test_a_scorecard_says_what_it_does_not_know(
    platform: Platform, made: Made, wrong: dict[str, str], path: str
) -> None:
    campaign = store(platform, made)
    asked = {"factor": SHAPING, "against": "none"} | wrong
    answer = platform.client("read").get(f"{API}/campaigns/{campaign}/scorecard", params=asked)
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json()["problems"]] == [path]


def test_a_cell_to_compare_with_must_be_there(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    asked = {"metric": METRIC, "rows": CC, "row": "bbr"}
    url = f"{API}/campaigns/{campaign}/contrasts"
    answer = platform.client("read").get(url, params=asked)
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json()["problems"]] == ["row"]


def test_only_common_factors_pair(platform: Platform, made: Made, tmp_path: Path) -> None:
    folder = tmp_path
    narrow = make_runs(folder, factors={CC: ["cubic", "reno"]})
    a, b = store(platform, made), store(platform, narrow)
    found = _get(platform, "/compare", a=str(a), b=str(b), metric=METRIC)
    assert found["factors"] == [CC]
    for pair in found["pairs"]:
        assert pair["n"] == 3
        both = [
            _values(made, None, **pair["levels"], **{SHAPING: each}) for each in ("none", "rwtm")
        ]
        averaged = np.mean([list(each.values()) for each in both])
        assert pair["mean_a"] == pytest.approx(averaged)


def test_runs_differ_by_what_was_changed(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    runs = _get(platform, f"/campaigns/{campaign}/runs")["items"]
    first = runs[0]
    changed = next(
        run
        for run in runs
        if run["seed"] == first["seed"] and run["levels"] == {**first["levels"], CC: "reno"}
    )
    found = _get(platform, "/compare/runs", a=first["id"], b=changed["id"])
    assert found["parameters"] == [{"path": CC, "a": "cubic", "b": "reno"}]
    values = {each["path"]: (each["a"], each["b"]) for each in found["metrics"]}
    for run, place in ((first, 0), (changed, 1)):
        clients = jsonfile.read(made.folders[run["key"]] / "metrics.json")["clients"]
        rank_1 = next(each for each in clients if each["rank"] == 1)
        if f"client.1.{METRIC}" in values:
            assert values[f"client.1.{METRIC}"][place] == rank_1[METRIC]


def test_seeds_of_runs_keep_all_their_digits(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    runs = _get(platform, f"/campaigns/{campaign}/runs")["items"]
    first = runs[0]
    other = next(run for run in runs if run["seed"] != first["seed"])
    found = _get(platform, "/compare/runs", a=first["id"], b=other["id"])["parameters"]
    (seed,) = [each for each in found if each["path"] == "seed"]
    assert (seed["a"], seed["b"]) == (first["seed"], other["seed"])
    by_key = {key: run.seed for key, run in zip(made.keys, made.runs, strict=True)}
    assert [int(run["seed"]) for run in runs] == [by_key[run["key"]] for run in runs]
    assert max(by_key.values()) > 2**53


def test_a_campaign_is_judged_against_a_baseline(
    platform: Platform, made: Made, other: Made
) -> None:
    baseline, campaign = store(platform, made), store(platform, other)
    url = f"/campaigns/{campaign}/regressions"
    found = _get(platform, url, baseline=str(baseline))
    assert found["combinations"] == 4
    assert any("illinois" in remark for remark in found["not_compared"])
    verdicts = {(str(one["levels"]), one["metric"]): one for one in found["verdicts"]}
    assert len(verdicts) == len(found["verdicts"])
    for pair in _get(platform, "/compare", a=str(baseline), b=str(campaign), metric=METRIC)[
        "pairs"
    ]:
        assert verdicts[str(pair["levels"]), METRIC]["n"] == pair["n"]
    again = _get(platform, f"/campaigns/{baseline}/regressions", baseline=str(baseline))
    assert (again["worse"], again["changed"]) == (0, 0)
    assert {one["verdict"] for one in again["verdicts"]} == {"same"}


def test_what_cannot_be_judged_is_named(platform: Platform, made: Made, tmp_path: Path) -> None:
    campaign = store(platform, made)
    narrow = store(platform, make_runs(tmp_path, factors={CC: ["cubic", "reno"]}))
    url = f"{API}/campaigns/{campaign}/regressions"
    for params, path in (
        ({"baseline": str(campaign), "effect": "jain=much"}, "effect"),
        ({"baseline": str(campaign), "effect": "no_metric=1"}, "effect"),
        ({"baseline": str(narrow)}, "baseline"),
    ):
        answer = platform.client("read").get(url, params=params)
        assert answer.status_code == 422
        assert [problem["path"] for problem in answer.json()["problems"]] == [path]


def test_another_teams_campaign_cannot_be_compared(platform: Platform, made: Made) -> None:
    mine, theirs = store(platform, made), store(platform, made, team="elsewhere")
    params = {"a": str(mine), "b": str(theirs), "metric": METRIC}
    for role, code in (("read", 404), ("outsider", 404), ("nobody", 401)):
        assert platform.client(role).get(f"{API}/compare", params=params).status_code == code
    judged = f"{API}/campaigns/{mine}/regressions"
    for role, code in (("read", 404), ("outsider", 404), ("nobody", 401)):
        asked = {"baseline": str(theirs)}
        assert platform.client(role).get(judged, params=asked).status_code == code
    for path in ("aggregate?metric=jain", "values?metric=jain", "table.csv", "runs"):
        url = f"{API}/campaigns/{theirs}/{path}"
        assert platform.client("read").get(url).status_code == 404


def test_two_runs_part_where_their_rows_do(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "failed" if p == 1 else "succeeded")
    runs = _get(platform, f"/campaigns/{campaign}/runs")["items"]
    first, other, failed = runs[0], runs[2], runs[1]
    found = _get(platform, "/compare/runs/parting", a=first["id"], b=other["id"])
    expected = partings(*(load(made.folders[run["key"]]) for run in (first, other)))
    assert expected
    assert found["same_seed"] is False
    assert [(each["t_s"], each["record"], each["row"]) for each in found["partings"]] == [
        (each.t_s, each.record, each.row) for each in expected
    ]
    same = _get(platform, "/compare/runs/parting", a=first["id"], b=first["id"])
    assert (same["same_seed"], same["partings"]) == (True, [])
    url = f"{API}/compare/runs/parting"
    params = {"a": first["id"], "b": failed["id"]}
    refused = platform.client("read").get(url, params=params)
    assert refused.status_code == 422
    assert [problem["path"] for problem in refused.json()["problems"]] == ["b"]
