"""Pausing, resuming, cancelling, doing again and deleting campaigns."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update
from weir_orchestrator import lifecycle
from weir_orchestrator.db import AuditEntry, Campaign, Combination, Event, Run
from weir_orchestrator.lifecycle import settle_if_over
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import expand_all, expand_some, submit


def _states(platform: Platform) -> dict[str, int]:
    with platform.sessions() as session:
        query = select(Run.state, func.count()).group_by(Run.state)
        return {row.state: row[1] for row in session.execute(query)}


def _set(platform: Platform, *states: str) -> None:
    """Give the first runs these states."""
    with platform.sessions.begin() as session:
        for position, state in enumerate(states):
            session.execute(update(Run).where(Run.position == position).values(state=state))


def _do(client: TestClient, made: dict[str, Any], action: str, **body: Any) -> Any:
    answer = client.post(f"/api/v1/campaigns/{made['id']}/{action}", json=body or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _cancel_some(platform: Platform, at_most: int) -> None:
    """Cancel the campaign and, of its runs that have not begun, so many."""
    with platform.sessions.begin() as session:
        campaign = session.scalars(select(Campaign).with_for_update()).one()
        lifecycle.cancel(session, campaign, at_most)


def test_a_pause_stops_expansion_and_a_resumption_goes_on(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_some(platform, at_most=5)
    assert _do(client, made, "pause")["state"] == "paused"
    assert expand_all(platform) == 0
    assert _do(client, made, "pause")["state"] == "paused"
    assert _do(client, made, "resume")["state"] == "expanding"
    expand_all(platform)
    assert _do(client, made, "pause")["state"] == "paused"
    assert _do(client, made, "resume")["state"] == "active"
    assert _states(platform) == {"queued": 12}


def test_cancelling_ends_what_runs_and_what_has_not_begun(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    _set(platform, "succeeded", "running")
    cancelled = _do(client, made, "cancel")
    assert cancelled["state"] == "cancelled"
    assert cancelled["counts"] == {"succeeded": 1, "cancelled": 11}
    again = client.post(f"/api/v1/campaigns/{made['id']}/cancel")
    assert again.status_code == 409
    with platform.sessions() as session:
        assert session.scalars(select(Campaign.counts)).one() == cancelled["counts"]
        reasons = set(session.scalars(select(Run.reason).where(Run.state == "cancelled")))
        told = session.scalars(select(Event.data).where(Event.kind == "run.ended")).all()
    assert reasons == {"the campaign was cancelled"}
    assert [(data["position"], data["state"]) for data in told] == [(1, "cancelled")]


@pytest.mark.parametrize(("other", "kept"), [("pause", True), ("cancel", False), (None, True)])
def test_what_another_campaign_waits_for_runs_on(
    platform: Platform, other: str | None, kept: bool
) -> None:
    client = platform.client("submit")
    made = submit(client)
    waiting = submit(client, replicates=1)
    expand_all(platform)
    with platform.sessions.begin() as session:
        mine = (Run.campaign_id == uuid.UUID(made["id"]), Run.position < 2)
        session.execute(update(Run).where(*mine).values(state="running"))
    if other:
        _do(client, waiting, other)
    # Of each combination the other has the first replicate: its key is that of run 0, not of 1.
    counts = _do(client, made, "cancel")["counts"]
    assert counts == ({"running": 1, "cancelled": 11} if kept else {"cancelled": 12})
    answer = platform.client("admin").delete(f"/api/v1/campaigns/{made['id']}")
    assert answer.status_code == (409 if kept else 204)
    if kept:
        assert "being finished" in answer.json()["detail"]


def test_of_many_runs_some_are_cancelled_at_once_and_the_others_soon(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    _cancel_some(platform, at_most=5)
    where = f"/api/v1/campaigns/{made['id']}"
    assert client.get(where).json()["counts"] == {"queued": 7, "cancelled": 5}
    refused = client.post(f"{where}/rerun", json={"only": ["failed"]})
    assert refused.status_code == 409
    assert "still being cancelled" in refused.json()["detail"]
    assert lifecycle.cancel_some(platform.sessions, at_most=5)
    assert client.get(where).json()["counts"] == {"queued": 2, "cancelled": 10}
    assert lifecycle.cancel_some(platform.sessions, at_most=5)
    assert not lifecycle.cancel_some(platform.sessions, at_most=5)
    with platform.sessions() as session:
        assert session.scalars(select(Campaign.counts)).one() == {"cancelled": 12}


def test_what_is_not_cancelled_yet_may_be_asked_for_again(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    _cancel_some(platform, at_most=5)
    assert _do(client, made, "rerun", only=["cancelled"]) == {"queued": 5}
    assert not lifecycle.cancel_some(platform.sessions, at_most=5)
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("active", {"queued": 12})


def test_only_what_failed_or_is_invalid_is_run_again(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    _set(platform, *["failed"] * 3, *["invalid"] * 2, *["succeeded"] * 7)
    with platform.sessions.begin() as session:
        session.execute(update(Campaign).values(state="finished", counts={"failed": 12}))
    assert _do(client, made, "rerun", only=["failed", "invalid"]) == {"queued": 5}
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("active", {"queued": 5, "succeeded": 7})
    assert shown["ended_at"] is None
    with platform.sessions() as session:
        replaces = session.scalars(select(Run.position).where(Run.replaces)).all()
    assert sorted(replaces) == [3, 4]
    assert _do(client, made, "rerun", only=["failed"]) == {"queued": 0}


def test_a_cancelled_campaign_goes_on_when_its_cancelled_runs_are_asked_for(
    platform: Platform,
) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_some(platform, at_most=5)
    _do(client, made, "cancel")
    assert expand_all(platform) == 0
    assert _do(client, made, "rerun", only=["cancelled"]) == {"queued": 5}
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("active", {"queued": 12})


def test_of_a_campaign_cancelled_while_expanding_what_failed_is_run_again_and_no_more(
    platform: Platform,
) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_some(platform, at_most=5)
    _set(platform, "failed", "failed")
    assert _do(client, made, "cancel")["counts"] == {"failed": 2, "cancelled": 3}
    assert _do(client, made, "rerun", only=["failed", "invalid"]) == {"queued": 2}
    assert expand_all(platform) == 0
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["run_count"]) == ("active", 5)
    assert shown["counts"] == {"queued": 2, "cancelled": 3}
    _set(platform, "succeeded", "succeeded")
    with platform.sessions.begin() as session:
        settle_if_over(session, uuid.UUID(made["id"]))
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("finished", {"succeeded": 2, "cancelled": 3})
    # Those that were cancelled, too, though not those that were never written.
    assert _do(client, made, "rerun", only=["cancelled"]) == {"queued": 3}
    assert expand_all(platform) == 0


def test_succeeded_runs_cannot_be_asked_for_again(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    where = f"/api/v1/campaigns/{made['id']}/rerun"
    assert client.post(where, json={"only": ["succeeded"]}).status_code == 422
    assert client.post(where, json={"only": []}).status_code == 422
    # Its runs are still being written.
    assert client.post(where, json={"only": ["failed"]}).status_code == 409


def test_ended_campaigns_can_be_deleted_by_admins(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    expand_all(platform)
    where = f"/api/v1/campaigns/{made['id']}"
    assert platform.client("admin").delete(where).status_code == 409
    _do(platform.client("submit"), made, "cancel")
    assert platform.client("submit").delete(where).status_code == 403
    assert platform.client("admin").delete(where).status_code == 204
    assert platform.client("admin").get(where).status_code == 404
    with platform.sessions() as session:
        for model in (Campaign, Combination, Run):
            assert session.scalar(select(func.count()).select_from(model)) == 0
        actions = session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)).all()
    assert actions == ["campaign.submit", "campaign.cancel", "campaign.delete"]


@pytest.mark.parametrize("action", ["pause", "resume", "cancel", "rerun", "clone"])
def test_steering_needs_the_right_to_submit_in_its_team(platform: Platform, action: str) -> None:
    made = submit(platform.client("submit"))
    where = f"/api/v1/campaigns/{made['id']}/{action}"
    body = {"only": ["failed"]} if action == "rerun" else {}
    found = {
        role: platform.client(role).post(where, json=body).status_code
        for role in ("nobody", "outsider", "operator", "read")
    }
    assert found == {"nobody": 401, "outsider": 404, "operator": 404, "read": 403}
