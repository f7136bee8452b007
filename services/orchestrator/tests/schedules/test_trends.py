"""Trends over nights: their points, and where a segment begins."""

from __future__ import annotations

from typing import Any

import pytest
from weir_orchestrator.db import Campaign
from weir_testing.platform import Platform
from weir_testing.platform.nights import FEW, LAB, METRIC, few, judged, night, play_at, schedule
from weir_testing.platform.results import Made, make_runs, store


@pytest.fixture(scope="module")
def near(before: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The same seeds under a third set of keys."""
    return make_runs(
        tmp_path_factory.mktemp("near"),
        factors=before.spec["factors"],
        replicates=before.spec["replicates"],
        experiment=before.spec["experiment"] | {"duration": "40s"},
    )


def trend(platform: Platform, of: Any, metric: str = METRIC) -> list[Any]:
    """Its points of the one combination, oldest first."""
    judged(platform, of)
    client = platform.client("read")
    board = client.get(f"/api/v1/schedules/{of['id']}/board").json()
    (number,) = (each["trend"] for each in board["points"] if each["metric"] == metric)
    found: list[Any] = client.get(f"/api/v1/trends/{number}").json()["points"]
    return found


def changes(platform: Platform, of: Any) -> list[Any]:
    answer = platform.client("read").get(f"/api/v1/schedules/{of['id']}/changes")
    found: list[Any] = answer.json()["items"]
    return found


def test_a_change_is_marked_on_the_night_that_brought_it(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, before)
    night(platform, nightly, before)
    worse = night(platform, nightly, after, bitrate=0.5)
    night(platform, nightly, after, bitrate=0.5)
    points = trend(platform, nightly)
    assert [point["mark"] for point in points] == ["", "", "worse", ""]
    assert [point["verdict"] for point in points] == ["same", "same", "worse", "worse"]
    assert points[2]["mean"] == pytest.approx(points[0]["mean"] / 2)
    assert points[0]["low"] <= points[0]["mean"] <= points[0]["high"]
    assert points[3]["difference"] == points[2]["difference"] < 0
    (change,) = (each for each in changes(platform, nightly) if each["metric"] == METRIC)
    assert (change["campaign"], change["mark"]) == (str(worse), "worse")


def test_a_verdict_leads_to_the_runs_behind_it(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, after, bitrate=0.5)
    judged(platform, nightly)
    client = platform.client("read")
    board = client.get(f"/api/v1/schedules/{nightly['id']}/board").json()
    (point,) = (each for each in board["points"] if each["metric"] == METRIC)
    pairs = client.get(f"/api/v1/trends/{point['trend']}/pairs").json()
    assert len(pairs) == point["n"] == 24
    moved = [abs(each["after"] - each["before"] - point["difference"]) for each in pairs]
    assert moved == sorted(moved)
    runs = [client.get(f"/api/v1/runs/{pairs[0][side]}").json() for side in "ab"]
    whose = [board["night"]["baseline"], board["campaign"]]
    assert [each["campaign_id"] for each in runs] == whose
    assert runs[0]["seed"] == runs[1]["seed"]


def test_a_slow_drift_is_marked_when_it_matters(
    platform: Platform, before: Made, after: Made, near: Made
) -> None:
    nightly = schedule(platform, "last-good")
    for made, share in ((before, 1.0), (after, 0.985), (near, 0.97)):
        night(platform, nightly, made, bitrate=share)
    points = trend(platform, nightly)
    assert [point["mark"] for point in points] == ["", "", "worse"]


def test_what_added_replicates_show_is_marked_though_the_first_night_has_none_of_them(
    platform: Platform, before: Made, after: Made
) -> None:
    for made, share in ((before, 1.0), (after, 0.5)):
        # What is run here later is known from there.
        play_at(platform, store(platform, made), share)
    nightly = schedule(platform, "last-good", most_replicates=24)
    night(platform, nightly, few(before), **LAB)
    good = night(platform, nightly, few(before), **LAB)
    assert judged(platform, nightly)[0]["verdict"] == "same"
    night(platform, nightly, few(after), bitrate=0.5, **LAB)
    worse = judged(platform, nightly)[0]
    assert (worse["verdict"], worse["baseline"]) == ("worse", str(good))
    night(platform, nightly, few(after), bitrate=0.5, **LAB)
    points = trend(platform, nightly)
    assert points[0]["n"] == FEW < points[2]["n"], "the first night got none"
    assert [point["mark"] for point in points] == ["", "", "worse", ""]


def test_so_is_what_a_baseline_shows_that_is_not_quite_the_first_night(
    platform: Platform, before: Made, after: Made, near: Made
) -> None:
    nightly = schedule(platform, "last-good")
    night(platform, nightly, few(before))
    baseline = night(platform, nightly, near, bitrate=0.99)
    judged(platform, nightly)
    chosen = {"baseline": str(baseline)}
    platform.client("submit").patch(f"/api/v1/schedules/{nightly['id']}", json=chosen)
    night(platform, nightly, after, bitrate=0.95)
    points = trend(platform, nightly)
    assert [point["verdict"] for point in points] == ["", "cannot tell", "worse"]
    assert [point["mark"] for point in points] == ["", "", "worse"]


def test_a_new_kernel_begins_a_segment_only_where_it_changes_numbers(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, before)
    night(platform, nightly, before, kernel_hash="new")
    night(platform, nightly, after, bitrate=0.5, kernel_hash="new")
    night(platform, nightly, before, kernel_hash="newer")
    points = trend(platform, nightly)
    assert [point["mark"] for point in points] == ["", "", "worse", "kernel"]
    assert points[3]["verdict"] == "same"


def test_a_control_in_c_is_what_is_tested_though_its_kernel_is_new(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, "last-good")
    night(platform, nightly, before, files={"mine.c": "a" * 64}, kernel_hash="a")
    night(platform, nightly, after, 0.5, files={"mine.c": "b" * 64}, kernel_hash="b")
    assert [point["mark"] for point in trend(platform, nightly)] == ["", "worse"]


@pytest.mark.parametrize(
    "asked",
    [
        {"experiment": {"kernel": {"patches": ["./fix.patch"]}}},
        {"factors": {"kernel": {"stock": {}, "mine": {"kernel.patches": ["fix.patch"]}}}},
    ],
)
def test_so_is_a_patch(platform: Platform, before: Made, after: Made, asked: Any) -> None:
    nightly = schedule(platform, "last-good")
    one, other = {"fix.patch": "a" * 64}, {"fix.patch": "b" * 64}
    night(platform, nightly, before, files=one, kernel_hash="a", spec=asked)
    night(platform, nightly, after, 0.5, files=other, kernel_hash="b", spec=asked)
    # With the same patch it is the lab that is another one.
    night(platform, nightly, before, files=other, kernel_hash="c", spec=asked)
    assert [point["mark"] for point in trend(platform, nightly)] == ["", "worse", "kernel"]


def test_so_is_a_kernel_s_version(platform: Platform, before: Made, after: Made) -> None:
    nightly = schedule(platform, "last-good")
    one, other = ({"experiment": {"kernel": {"version": each}}} for each in ("7.3", "6.18"))
    night(platform, nightly, before, kernel_hash="a", spec=one)
    night(platform, nightly, after, 0.5, kernel_hash="b", spec=other)
    night(platform, nightly, before, kernel_hash="c", spec=other)
    assert [point["mark"] for point in trend(platform, nightly)] == ["", "worse", "kernel"]


def test_a_trend_goes_on_where_its_beginning_was_deleted(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, "last-good")
    first = night(platform, nightly, before)
    night(platform, nightly, before)
    judged(platform, nightly)
    with platform.sessions.begin() as session:
        session.delete(session.get_one(Campaign, first))
    night(platform, nightly, after, bitrate=0.5)
    assert [point["mark"] for point in trend(platform, nightly)] == ["", ""]


def test_a_night_that_is_not_there_is_not_found(platform: Platform, before: Made) -> None:
    nightly = schedule(platform, "last-good")
    client = platform.client("read")
    board = f"/api/v1/schedules/{nightly['id']}/board"
    assert client.get(board).json() == {"campaign": None, "night": None, "points": []}
    other = store(platform, before)
    assert client.get(board, params={"night": str(other)}).status_code == 404
    assert platform.client("outsider").get(board).status_code == 404
