"""When cron lines are due, around changes of the clocks above all."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weir_orchestrator.schedules.times import check, following, last_due, upcoming

BERLIN = "Europe/Berlin"
SPRING = datetime(2026, 3, 28, 23, 0, tzinfo=UTC)
"""Midnight in Berlin; at 2:00 the clocks go on to 3:00."""
AUTUMN = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)
"""Midnight in Berlin; at 3:00 the clocks go back to 2:00."""


def local(cron: str, after: datetime, number: int) -> list[str]:
    zone = zoneinfo.ZoneInfo(BERLIN)
    times = upcoming(cron, BERLIN, after, number)
    return [at.astimezone(zone).strftime("%d %H:%M%z") for at in times]


@pytest.mark.parametrize(
    ("cron", "after", "expected"),
    [
        ("30 2 * * *", SPRING, ["29 03:00+0200", "30 02:30+0200"]),
        ("15,45 2 * * *", SPRING, ["29 03:00+0200", "30 02:15+0200"]),
        ("30 * * * *", SPRING, ["29 00:30+0100", "29 01:30+0100", "29 03:30+0200"]),
        ("30 2 * * *", AUTUMN, ["25 02:30+0200", "26 02:30+0100"]),
        ("30 1-3 * * *", AUTUMN, ["25 01:30+0200", "25 02:30+0200", "25 03:30+0100"]),
        ("30 * * * *", AUTUMN + timedelta(hours=2), ["25 02:30+0200", "25 02:30+0100"]),
    ],
)
def test_changes_of_the_clocks(cron: str, after: datetime, expected: list[str]) -> None:
    assert local(cron, after, len(expected)) == expected


def test_a_fixed_time_counts_once_also_when_asked_in_the_hour_that_comes_twice() -> None:
    second_pass = AUTUMN + timedelta(hours=3, minutes=10)
    assert local("45 2 * * *", second_pass, 1) == ["26 02:45+0100"]


@pytest.mark.parametrize(
    ("cron", "zone", "field"),
    [
        ("0 2 * *", "UTC", "cron"),
        ("0 0 2 * * *", "UTC", "cron"),
        ("61 2 * * *", "UTC", "cron"),
        ("0 0 31 2 *", "UTC", "cron"),
        ("0 2 * * *", "Mars/Olympus", "timezone"),
        ("0 2 * * *", "../../etc/passwd", "timezone"),
        ("0 2 * * *", "Europe", "timezone"),
    ],
)
def test_bad_lines_are_refused_with_their_field(cron: str, zone: str, field: str) -> None:
    (problem,) = check(cron, zone)
    assert problem.path == field
    assert problem.value in {cron, zone}
    assert problem.allowed
    assert problem.remedy


def test_the_last_due_time_is_found_over_any_downtime() -> None:
    first = datetime(2020, 1, 1, 2, 30, tzinfo=UTC)
    for late in (timedelta(0), timedelta(hours=5), timedelta(days=40), timedelta(days=2000)):
        now = first + late
        last = last_due("30 2 * * *", "UTC", first, now)
        assert last == now.replace(hour=2, minute=30)
    yearly = datetime(2020, 2, 29, tzinfo=UTC)
    assert last_due("0 0 29 2 *", "UTC", yearly, datetime(2027, 1, 1, tzinfo=UTC)) == datetime(
        2024, 2, 29, tzinfo=UTC
    )


_FIELD = st.one_of(st.just("*"), st.text("0123456789*/,-#LMONFRI", min_size=1, max_size=8))
_ZONE = st.sampled_from(["UTC", BERLIN, "America/St_Johns", "Australia/Lord_Howe"])
_TIMES = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))


@settings(max_examples=150, deadline=None)
@given(st.tuples(_FIELD, _FIELD, _FIELD, _FIELD, _FIELD).map(" ".join), _ZONE, _TIMES)
def test_any_line_is_refused_or_has_ascending_times(cron: str, zone: str, after: datetime) -> None:
    if check(cron, zone):
        return
    times = [after, *upcoming(cron, zone, after, 20)]
    assert all(earlier < later for earlier, later in pairwise(times))
    if len(times) > 1:
        assert following(cron, zone, after) == times[1]
        assert last_due(cron, zone, times[1], times[-1]) == times[-1]
