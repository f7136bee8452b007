"""A campaign is judged against a baseline."""

from __future__ import annotations

from pathlib import Path

from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, Made, make_runs, read, store


def test_a_campaign_is_judged_against_a_baseline(
    platform: Platform, made: Made, other: Made
) -> None:
    baseline, campaign = store(platform, made), store(platform, other)
    url = f"/campaigns/{campaign}/regressions"
    found = read(platform, url, baseline=str(baseline))
    assert found["combinations"] == 4
    assert any("illinois" in remark for remark in found["not_compared"])
    verdicts = {(str(one["levels"]), one["metric"]): one for one in found["verdicts"]}
    assert len(verdicts) == len(found["verdicts"])
    for pair in read(platform, "/compare", a=str(baseline), b=str(campaign), metric=METRIC)[
        "pairs"
    ]:
        assert verdicts[str(pair["levels"]), METRIC]["n"] == pair["n"]
    again = read(platform, f"/campaigns/{baseline}/regressions", baseline=str(baseline))
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
