"""Campaigns and combinations are compared by levels and seeds, as statistics has it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from weir import stats
from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, SHAPING, Made, make_runs, read, store


def test_campaigns_are_compared_by_levels_and_seeds(
    platform: Platform, made: Made, other: Made
) -> None:
    a, b = store(platform, made), store(platform, other)
    found = read(platform, "/compare", a=str(a), b=str(b), metric=METRIC, client=1)
    assert len(found["pairs"]) == 4
    assert found["only_a"] == []
    assert {levels[CC] for levels in found["only_b"]} == {"illinois"}
    for pair in found["pairs"]:
        left, right = made.values(1, **pair["levels"]), other.values(1, **pair["levels"])
        expected = stats.compare_paired(left, right)
        assert pair["n"] == 3
        assert pair["difference"] == pytest.approx(expected.difference)
        if pair["p_value"] is not None:
            assert pair["p_value"] == pytest.approx(expected.p_value)
            assert pair["p_adjusted"] >= pair["p_value"] - 1e-12
    same = read(platform, "/compare", a=str(a), b=str(a), metric=METRIC)
    assert [pair["difference"] for pair in same["pairs"]] == [0.0] * 4
    assert [pair["better"] for pair in same["pairs"]] == [None] * 4


def test_only_common_factors_pair(platform: Platform, made: Made, tmp_path: Path) -> None:
    folder = tmp_path
    narrow = make_runs(folder, factors={CC: ["cubic", "reno"]})
    a, b = store(platform, made), store(platform, narrow)
    found = read(platform, "/compare", a=str(a), b=str(b), metric=METRIC)
    assert found["factors"] == [CC]
    for pair in found["pairs"]:
        assert pair["n"] == 3
        both = [made.values(None, **pair["levels"], **{SHAPING: each}) for each in ("none", "rwtm")]
        averaged = np.mean([list(each.values()) for each in both])
        assert pair["mean_a"] == pytest.approx(averaged)


def test_cells_are_compared_with_one_of_them(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    base = {CC: "cubic", SHAPING: "none"}
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, "row": "cubic", "column": "none"}
    found = read(platform, f"/campaigns/{campaign}/contrasts", **asked)
    assert found["base"] == base
    assert [pair["levels"] for pair in found["pairs"]].count(base) == 0
    assert len(found["pairs"]) == 3
    left = made.values(None, **base)
    for pair in found["pairs"]:
        right = made.values(None, **pair["levels"])
        expected = stats.compare_paired(left, right)
        assert pair["n"] == 3
        assert pair["mean_a"] == pytest.approx(np.mean(list(left.values())))
        assert pair["difference"] == pytest.approx(expected.difference)
        assert pair["p_value"] == pytest.approx(expected.p_value, nan_ok=True)


def test_pairs_that_are_all_alike_have_no_p(platform: Platform, alike: Made) -> None:
    campaign = store(platform, alike)
    asked = {"metric": METRIC, "rows": CC, "columns": SHAPING, "row": "cubic", "column": "none"}
    pairs = read(platform, f"/campaigns/{campaign}/contrasts", **asked)["pairs"]
    assert len(pairs) == 3
    for pair in pairs:
        assert (pair["n"], pair["distinct"], pair["a"]["distinct"]) == (3, 1, 1)
        assert pair["p_value"] is pair["p_adjusted"] is pair["better"] is None
        assert pair["ci_low"] is pair["ci_high"] is None
        assert pair["difference"] == pytest.approx(pair["mean_b"] - pair["mean_a"])


def test_a_cell_to_compare_with_must_be_there(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    asked = {"metric": METRIC, "rows": CC, "row": "bbr"}
    url = f"{API}/campaigns/{campaign}/contrasts"
    answer = platform.client("read").get(url, params=asked)
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json()["problems"]] == ["row"]


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
