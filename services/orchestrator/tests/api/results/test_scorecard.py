"""All metrics of a campaign, scored against one level of a factor."""

from __future__ import annotations

import pytest
from scipy.stats import false_discovery_control
from weir import stats
from weir_testing.platform import Platform
from weir_testing.platform.results import API, CC, METRIC, SHAPING, Made, read, store


def test_all_metrics_are_scored_against_a_level(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    found = read(platform, f"/campaigns/{campaign}/scorecard", factor=SHAPING, against="none")
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
        left = made.values(None, **{CC: cc, SHAPING: "none"})
        right = made.values(None, **{CC: cc, SHAPING: "rwtm"})
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
    (score,) = read(platform, f"/campaigns/{campaign}/scorecard", **asked)["scores"]
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
