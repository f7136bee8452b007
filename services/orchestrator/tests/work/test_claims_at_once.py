"""Claims of many workers at the same time: each run once, and none waits for what found nothing."""

from __future__ import annotations

import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError
from weir_orchestrator.api.campaigns.queries import locked
from weir_orchestrator.db import Campaign, Team, Worker
from weir_orchestrator.work.claim import Claim, claim
from weir_testing.platform import Platform
from weir_testing.platform.work import VERSIONS, key_of, submit

LEASE = timedelta(seconds=30)


@pytest.fixture
def workers(platform: Platform) -> list[uuid.UUID]:
    rows = [Worker(host="here", pid=number, jobs=2) for number in range(6)]
    with platform.sessions.begin() as session:
        session.add_all(rows)
    return [row.id for row in rows]


def bound(platform: Platform, max_running: int | None, *teams: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id.in_(teams)).values(max_running=max_running))


def take(platform: Platform, worker: uuid.UUID, at_most: int = 1) -> list[Claim]:
    with platform.sessions.begin() as session:
        return claim(session, worker, VERSIONS, LEASE, at_most)


def take_all(platform: Platform, workers: list[uuid.UUID], at_most: int = 1) -> list[Claim]:
    """What they take at the same time, each until there is nothing more for it."""

    def work(worker: uuid.UUID) -> list[Claim]:
        found = []
        while some := take(platform, worker, at_most):
            found += some
        return found

    with ThreadPoolExecutor(len(workers)) as pool:
        return [one for some in pool.map(work, workers) for one in some]


def test_each_run_is_taken_once_and_no_team_has_more_than_its_quota(
    platform: Platform, workers: list[uuid.UUID]
) -> None:
    keys = [key_of(n) for n in range(60)]
    submit(platform.sessions, platform.team_id, keys[:40])
    submit(platform.sessions, platform.other_team_id, keys[20:])
    bound(platform, 25, platform.team_id)
    taken = take_all(platform, workers)
    counts = Counter(one.key for one in taken)
    assert set(counts.values()) == {1}
    assert len({one.run_id for one in taken}) == len(taken)
    of_team = [one for one in taken if one.team_id == platform.team_id]
    others = [one for one in taken if one.team_id == platform.other_team_id]
    assert len(of_team) <= 25
    # What the other team may take is all that is not leased by the first one.
    assert {one.key for one in others} >= set(keys[40:])
    assert len(taken) >= 25 + 20


@pytest.mark.parametrize("quota", [None, 90])
def test_each_run_is_taken_once_where_several_are_taken(
    platform: Platform, workers: list[uuid.UUID], quota: int | None
) -> None:
    keys = [key_of(n) for n in range(90)]
    submit(platform.sessions, platform.team_id, keys[:60])
    submit(platform.sessions, platform.other_team_id, list(reversed(keys[30:])))
    bound(platform, quota, platform.team_id, platform.other_team_id)
    taken = take_all(platform, workers, at_most=7)
    assert Counter(one.key for one in taken) == Counter(keys)


@pytest.mark.parametrize("platform_settings", ["served"], indirect=True)  # SQLite has one writer
def test_a_claim_that_found_nothing_keeps_no_other_one_waiting(
    platform: Platform, workers: list[uuid.UUID]
) -> None:
    submit(platform.sessions, platform.other_team_id, [key_of(1)])
    assert len(take(platform, workers[0])) == 1
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    with platform.sessions.begin() as first, platform.sessions.begin() as second:
        assert claim(first, workers[1], VERSIONS, LEASE) == []
        second.execute(text("SET LOCAL lock_timeout = '2s'"))
        assert claim(second, workers[2], VERSIONS, LEASE) == []
    with platform.sessions() as session:
        assert session.get_one(Campaign, campaign_id).started_at is None


@pytest.mark.parametrize("platform_settings", ["served"], indirect=True)
@pytest.mark.parametrize("keys", [[key_of(1)], []], ids=["found", "nothing"])
def test_who_changes_a_campaign_waits_for_a_claim_under_way(
    platform: Platform, workers: list[uuid.UUID], keys: list[str]
) -> None:
    submit(platform.sessions, platform.other_team_id, [key_of(2)])
    assert len(take(platform, workers[0])) == 1
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(2), *keys])
    with platform.sessions.begin() as first, platform.sessions() as second:
        assert len(claim(first, workers[1], VERSIONS, LEASE)) == len(keys)
        second.execute(text("SET lock_timeout = '0.2s'"))
        with pytest.raises(OperationalError, match="lock timeout"):
            locked(second, campaign_id)
    with platform.sessions.begin() as session:
        assert locked(session, campaign_id) is not None
