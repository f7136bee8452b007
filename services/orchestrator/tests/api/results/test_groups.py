"""Numbers over replicates, against the same numbers computed from the run directories."""

from __future__ import annotations

import numpy as np
import pytest
from weir import stats
from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, SHAPING, Made, read, store


@pytest.mark.parametrize("rank", [None, 1, 2])
def test_cells_are_means_over_replicates(platform: Platform, made: Made, rank: int | None) -> None:
    campaign = store(platform, made)
    chosen = {} if rank is None else {"client": rank}
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, **chosen}
    found = read(platform, f"/campaigns/{campaign}/aggregate", **asked)
    assert len(found["groups"]) == 4
    for cell in found["groups"]:
        values = list(made.values(rank, **cell["levels"]).values())
        expected = stats.summary(values)
        assert (cell["n"], cell["mean"]) == (3, pytest.approx(expected.mean))
        assert (cell["ci_low"], cell["ci_high"]) == pytest.approx(
            (expected.ci_low, expected.ci_high)
        )
        assert (cell["min"], cell["max"]) == pytest.approx((min(values), max(values)))
        assert cell["quantiles"][2] == pytest.approx(np.median(values))


def test_replicates_that_are_all_alike_have_no_interval(platform: Platform, alike: Made) -> None:
    campaign = store(platform, alike)
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING}
    for cell in read(platform, f"/campaigns/{campaign}/aggregate", **asked)["groups"]:
        assert (cell["n"], cell["distinct"]) == (3, 1)
        assert cell["sd"] is cell["ci_low"] is cell["ci_high"] is None
    for group in read(platform, f"/campaigns/{campaign}/values", **asked)["groups"]:
        assert (group["n"], group["distinct"]) == (3, 1)
    # Two combinations of one run each, whatever their replicates.
    pooled = read(platform, f"/campaigns/{campaign}/aggregate", metric=METRIC, rows=CC)["groups"]
    for cell in pooled:
        values = list(alike.values(None, **cell["levels"], **{SHAPING: "none"}).values())[:1]
        values += list(alike.values(None, **cell["levels"], **{SHAPING: "rwtm"}).values())[:1]
        expected = stats.summary(values)
        assert (cell["n"], cell["distinct"]) == (6, 2)
        assert (cell["ci_low"], cell["ci_high"]) == pytest.approx(
            (expected.ci_low, expected.ci_high)
        )


def test_what_failed_its_checks_is_never_averaged(platform: Platform, made: Made) -> None:
    states = {0: "invalid", 1: "failed"}
    campaign = store(platform, made, state_of=lambda p: states.get(p, "succeeded"))
    found = read(
        platform, f"/campaigns/{campaign}/aggregate", metric=METRIC, rows=CC, columns=SHAPING
    )
    first = next(cell for cell in found["groups"] if cell["levels"] == made.runs[0].levels)
    last = made.values(None, **made.runs[0].levels)[made.runs[2].seed]
    assert (first["n"], first["mean"]) == (1, pytest.approx(last))
    assert first["ci_low"] is None
    assert found["not_averaged"] == {"invalid": 1, "failed": 1}


def test_levels_choose_and_other_factors_are_pooled(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    path = f"/campaigns/{campaign}/aggregate"
    by_one = read(platform, path, metric=METRIC, rows=CC)
    assert [(cell["levels"], cell["n"]) for cell in by_one["groups"]] == [
        ({CC: "cubic"}, 6),
        ({CC: "reno"}, 6),
    ]
    chosen = read(platform, path, metric=METRIC, rows=CC, **{f"level.{SHAPING}": "rwtm"})
    for cell in chosen["groups"]:
        expected = list(made.values(None, **cell["levels"], **{SHAPING: "rwtm"}).values())
        assert cell["mean"] == pytest.approx(np.mean(expected))
    refused = platform.client("read").get(API + path, params={"metric": METRIC, "rows": "no.such"})
    assert refused.json()["problems"][0]["path"] == "rows"
    refused = platform.client("read").get(API + path, params={"metric": "bitrate"})
    assert refused.status_code == 422


def test_factors_come_by_how_much_of_the_variance_they_explain(
    platform: Platform, made: Made
) -> None:
    campaign = store(platform, made)
    found = read(platform, f"/campaigns/{campaign}/effects", metric=METRIC)["effects"]
    runs = [
        value
        for cc in ("cubic", "reno")
        for shaping in ("none", "rwtm")
        for value in made.values(None, **{CC: cc, SHAPING: shaping}).values()
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
                    for value in made.values(
                        None, **{each["factor"]: level, other: beside}
                    ).values()
                ]
            )
            for level in made.spec["factors"][each["factor"]]
        ]
        assert each["share"] == pytest.approx(np.var(means) / total)


def test_values_name_their_runs(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    path = f"/campaigns/{campaign}/values"
    (group,) = read(platform, path, metric=METRIC, client=1)["groups"]
    assert group["n"] == len(made.runs)
    assert group["values"] == sorted(group["values"])
    for run, value in zip(group["runs"][:3], group["values"], strict=False):
        clients = read(platform, f"/runs/{run}/metrics")["clients"]
        first = next(each for each in clients if each["rank"] == 1)
        assert first["values"][METRIC] == pytest.approx(value)
    (few,) = read(platform, path, metric=METRIC, client=1, most=4)["groups"]
    assert few["n"] == group["n"]
    assert len(few["values"]) == 4
    assert (few["values"][0], few["values"][-1]) == (group["values"][0], group["values"][-1])
