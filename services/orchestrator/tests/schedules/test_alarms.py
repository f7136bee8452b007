"""Alarms: opened by a worse night, closed by a good one, and what people do about them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import select
from weir_orchestrator.db import AuditEntry, Event, utc_now
from weir_testing.platform import Platform
from weir_testing.platform.nights import METRIC, judged, night, schedule
from weir_testing.platform.results import Made, store


def alarms(platform: Platform, of: Any, **asked: Any) -> list[Any]:
    """Those of the metric that nights change."""
    judged(platform, of)
    found = platform.client("read").get(f"/api/v1/schedules/{of['id']}/alarms", params=asked)
    return [each for each in found.json()["items"] if each["metric"] == METRIC]


def change(platform: Platform, alarm: Any, **fields: Any) -> Any:
    answer = platform.client("submit").patch(f"/api/v1/alarms/{alarm['id']}", json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def alarming(platform: Platform) -> list[bool]:
    with platform.sessions() as session:
        judgements = select(Event).where(Event.kind == "campaign.judged").order_by(Event.id)
        return [event.data["alarming"] for event in session.scalars(judgements)]


def test_an_alarm_is_open_from_the_first_worse_night_to_a_good_one(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, before)
    first = night(platform, nightly, after, bitrate=0.5)
    (alarm,) = alarms(platform, nightly)
    assert (alarm["opened_by"], alarm["worse_in"]) == (str(first), str(first))
    assert alarm["difference"] < 0 < alarm["before"]
    again = night(platform, nightly, after, bitrate=0.5)
    (still,) = alarms(platform, nightly)
    assert still == alarm | {"worse_in": str(again)}
    good = night(platform, nightly, before)
    assert alarms(platform, nightly) == []
    (closed,) = alarms(platform, nightly, closed=True)
    assert (closed["id"], closed["closed_by"]) == (alarm["id"], str(good))
    assert alarming(platform) == [False, True, True, False]


def test_a_muted_alarm_is_not_told_of_also_when_it_opens_again(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, after, bitrate=0.5)
    judged(platform, nightly)
    until = (utc_now() + timedelta(days=7)).isoformat()
    listed = platform.client("read").get(f"/api/v1/schedules/{nightly['id']}/alarms").json()
    for each in listed["items"]:
        change(platform, each, muted_until=until)
    for made, share in ((after, 0.5), (before, 1.0), (after, 0.5)):
        night(platform, nightly, made, bitrate=share)
        judged(platform, nightly)
    assert alarming(platform) == [True, False, False, False]
    (alarm,) = alarms(platform, nightly)
    assert alarm["muted_until"] is not None
    change(platform, alarm, muted_until=utc_now().isoformat())
    assert alarms(platform, nightly)[0]["muted_until"] is None


def test_who_looks_after_an_alarm_is_said_and_audited(
    platform: Platform, before: Made, after: Made
) -> None:
    nightly = schedule(platform, str(store(platform, before)))
    night(platform, nightly, after, bitrate=0.5)
    (alarm,) = alarms(platform, nightly)
    seen = change(platform, alarm, acknowledged=True, note="the new ABR, on purpose")
    assert (seen["acknowledged_by"], seen["note"]) == (
        platform.client("submit").get("/api/v1/me").json()["email"],
        "the new ABR, on purpose",
    )
    assert alarms(platform, nightly) == [seen]
    with platform.sessions() as session:
        (entry,) = session.scalars(select(AuditEntry).where(AuditEntry.action == "alarm.change"))
    assert entry.object_id == str(alarm["id"])
    assert entry.detail == {"acknowledged": True, "note": "the new ABR, on purpose"}
    undone = change(platform, alarm, acknowledged=False)
    assert (undone["acknowledged_by"], undone["acknowledged_at"]) == (None, None)
    assert (
        platform.client("read").patch(f"/api/v1/alarms/{alarm['id']}", json={}).status_code == 403
    )
