"""When a cron line is due in a time zone.

Where the clocks change, as in Debian's cron: with fixed hours and minutes a time that is left out
comes at the first minute after it, and one that comes twice counts once, the first time. With `*`
in hours or minutes the line follows the clock on the wall: nothing in the hour that is left out,
and everything twice in the hour that comes twice.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, takewhile
from typing import Final

from cronsim import CronSim, CronSimError
from weir.errors import Problem

__all__ = ["check", "following", "last_due", "times_after", "upcoming"]

_FIELDS: Final = 5
_WINDOWS: Final = tuple(timedelta(hours=hours) for hours in (1, 24, 32 * 24, 366 * 24))


def check(cron: str, timezone: str) -> list[Problem]:
    """What is wrong with a cron line and a time zone's name."""
    problems = []
    if timezone not in _zones():
        allowed, remedy = "a name of the IANA time zones", "write it as in Europe/Berlin or UTC"
        problems.append(Problem("timezone", timezone, allowed, remedy))
    allowed = "minute, hour, day of month, month, day of week, as in 30 2 * * MON-FRI"
    try:
        if len(cron.split()) != _FIELDS:
            problems.append(Problem("cron", cron, allowed, f"give {_FIELDS} fields"))
        elif following(cron, "UTC", datetime(2000, 1, 1, tzinfo=UTC)) is None:
            problems.append(Problem("cron", cron, allowed, "it never comes: change the date"))
    except CronSimError as error:
        problems.append(Problem("cron", cron, allowed, f"change the field: {error}"))
    return problems


def times_after(cron: str, timezone: str, after: datetime) -> Iterator[datetime]:
    """All due times later than `after`, in UTC; of a line that `check` finds good."""
    last = after
    for moment in CronSim(cron, after.astimezone(zoneinfo.ZoneInfo(timezone))):
        due = moment.astimezone(UTC)
        # Around a change of the clocks some come twice, or for a time that is over.
        if due > last:
            last = due
            yield due


def following(cron: str, timezone: str, after: datetime) -> datetime | None:
    """The next due time, in UTC; None when there is none in 50 years."""
    return next(times_after(cron, timezone, after), None)


def upcoming(cron: str, timezone: str, after: datetime, number: int) -> list[datetime]:
    """The next due times, in UTC."""
    return list(islice(times_after(cron, timezone, after), number))


def last_due(cron: str, timezone: str, first: datetime, now: datetime) -> datetime:
    """The last due time until `now`, where `first` is one."""
    for window in _WINDOWS:
        if now - window > first:
            due = takewhile(lambda at: at <= now, times_after(cron, timezone, now - window))
            if found := list(due):
                return found[-1]
    due = takewhile(lambda at: at <= now, times_after(cron, timezone, first))
    return max(due, default=first)


@cache
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
