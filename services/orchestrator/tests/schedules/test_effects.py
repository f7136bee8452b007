"""A schedule's own idea of what matters."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body
from weir_testing.platform.nights import METRIC, judged, night, schedule
from weir_testing.platform.results import Made, store


def test_nights_are_judged_by_the_schedule_s_own_effects(
    platform: Platform, before: Made, after: Made
) -> None:
    good = str(store(platform, before))
    nightly = schedule(platform, good, effects={METRIC: "10%"})
    assert nightly["effects"] == {METRIC: "10%"}
    night(platform, nightly, before)
    night(platform, nightly, after, bitrate=0.95)
    assert METRIC not in worse(platform, nightly)
    stricter = platform.client("submit").patch(
        f"/api/v1/schedules/{nightly['id']}", json={"effects": {METRIC: "1000"}}
    )
    assert stricter.json()["effects"] == {METRIC: "1000"}
    night(platform, nightly, after, bitrate=0.95)
    assert METRIC in worse(platform, nightly)


def worse(platform: Platform, of: Any) -> set[str]:
    """Metrics of the newest night."""
    judged(platform, of)
    board = platform.client("read").get(f"/api/v1/schedules/{of['id']}/board").json()
    return {each["metric"] for each in board["points"] if each["verdict"] == "worse"}


@pytest.mark.parametrize(("metric", "size"), [("no_metric", "1"), (METRIC, "-1"), (METRIC, "x")])
def test_an_effect_that_is_none_is_refused(platform: Platform, metric: str, size: str) -> None:
    given = {"name": "n", "cron": "30 2 * * *", "campaign": body(), "effects": {metric: size}}
    answer = platform.client("submit").post(f"{HERE}/schedules", json=given)
    assert answer.status_code == 422, answer.text
    (problem,) = answer.json()["problems"]
    assert (problem["path"], problem["value"]) == (f"effects.{metric}", size)
