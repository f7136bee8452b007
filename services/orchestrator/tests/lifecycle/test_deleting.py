"""Deleting campaigns: few runs at once, many some at a time."""

from __future__ import annotations

import uuid

from sqlalchemy import func, select, update
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Event, Run
from weir_testing.platform import Platform
from weir_testing.platform.work import key_of, submit


def _ended(platform: Platform, runs: int) -> uuid.UUID:
    """A campaign of so many runs, which failed."""
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(runs)])
    with platform.sessions.begin() as session:
        session.execute(update(Run).values(state="failed"))
        session.execute(update(Campaign).values(state="finished", expanded=runs))
        session.add_all(
            Event(team_id=platform.team_id, campaign_id=campaign_id, kind="run.ended")
            for _ in range(runs)
        )
    return campaign_id


def _remove(platform: Platform, campaign_id: uuid.UUID, at_most: int) -> None:
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, campaign_id, with_for_update=True)
        lifecycle.remove(session, campaign, at_most)


def _left(platform: Platform) -> tuple[int, int, int]:
    """Campaigns, runs, events."""
    with platform.sessions() as session:
        counts = [
            session.scalars(select(func.count()).select_from(model)).one()
            for model in (Campaign, Run, Event)
        ]
    return counts[0], counts[1], counts[2]


def test_one_of_few_runs_is_gone_at_once(platform: Platform) -> None:
    campaign_id = _ended(platform, 5)
    _remove(platform, campaign_id, at_most=5)
    assert _left(platform) == (0, 0, 0)
    assert not lifecycle.delete_some(platform.sessions)


def test_one_of_many_runs_goes_some_at_a_time(platform: Platform) -> None:
    campaign_id = _ended(platform, 12)
    _remove(platform, campaign_id, at_most=5)
    client = platform.client("admin")
    at = f"/api/v1/campaigns/{campaign_id}"
    assert client.get(at).json()["state"] == "deleting"
    assert client.delete(at).status_code == 204, "it is being deleted already"
    assert client.post(f"{at}/rerun", json={"only": ["failed"]}).status_code == 409
    runs = []
    while lifecycle.delete_some(platform.sessions, at_most=5):
        runs.append(_left(platform)[1])
    assert runs == [7, 2, 0, 0, 0, 0, 0]
    assert _left(platform) == (0, 0, 0)
    assert client.get(at).status_code == 404


def test_other_campaigns_keep_what_they_have(platform: Platform) -> None:
    mine = _ended(platform, 8)
    others = submit(platform.sessions, platform.other_team_id, [key_of(1), key_of(20)])
    _remove(platform, mine, at_most=5)
    while lifecycle.delete_some(platform.sessions, at_most=5):
        pass
    with platform.sessions() as session:
        assert session.scalars(select(Run.campaign_id).distinct()).all() == [others]
    assert _left(platform)[:2] == (1, 2)
