"""Claims: who gets the next run, and that nobody else gets it."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from weir.resolved import Experiment
from weir_orchestrator.db import Campaign, Combination, Event, Lease, Result, Run, Team, Worker
from weir_orchestrator.work.claim import Claim, Versions, claim
from weir_testing.platform import Platform
from weir_testing.platform.work import EXPERIMENT, VERSIONS, key_of, states, submit
from weir_testing.stand_in.versions import KERNEL

LEASE = timedelta(seconds=30)


@pytest.fixture
def worker(platform: Platform) -> uuid.UUID:
    with platform.sessions.begin() as session:
        row = Worker(host="here", pid=1, jobs=2)
        session.add(row)
    return row.id


def take(platform: Platform, worker: uuid.UUID, versions: Versions = VERSIONS) -> Claim | None:
    with platform.sessions.begin() as session:
        return next(iter(claim(session, worker, versions, LEASE)), None)


def test_runs_are_taken_in_order_with_lease_event_and_attempt(
    platform: Platform, worker: uuid.UUID
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    first, second = take(platform, worker), take(platform, worker)
    assert first is not None
    assert second is not None
    assert (first.position, second.position) == (0, 1)
    assert first.experiment["duration_s"] == 20.0
    assert take(platform, worker) is None
    assert states(platform.sessions, campaign_id) == ["running", "running"]
    with platform.sessions() as session:
        leases = {lease.key: lease for lease in session.scalars(select(Lease))}
        assert leases.keys() == {key_of(1), key_of(2)}
        run = session.get_one(Run, first.run_id)
        assert run.attempts == 1
        assert run.started_at is not None
        left = leases[key_of(1)].until - run.started_at
        assert abs(left - LEASE) < LEASE / 3  # between two statements a busy machine may pause
        assert session.get_one(Campaign, campaign_id).started_at is not None
        events = session.scalars(select(Event).where(Event.kind == "run.started")).all()
        assert [event.data["position"] for event in events] == [0, 1]


def test_one_key_is_carried_out_by_one_at_a_time(platform: Platform, worker: uuid.UUID) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)])
    submit(platform.sessions, platform.other_team_id, [key_of(1), key_of(2)])
    taken = [take(platform, worker), take(platform, worker), take(platform, worker)]
    assert [one and one.key for one in taken] == [key_of(1), key_of(2), None]


def test_a_worker_takes_runs_of_its_clocks(platform: Platform, worker: uuid.UUID) -> None:
    real: Experiment = {**EXPERIMENT, "clock": "real"}
    submit(platform.sessions, platform.team_id, [key_of(1)], real, name="real")
    submit(platform.sessions, platform.team_id, [key_of(2), key_of(3)], name="virtual")
    cells, virtual = replace(VERSIONS, clocks=("real",)), replace(VERSIONS, clocks=("virtual",))
    taken = [take(platform, worker, versions) for versions in (virtual, cells, cells, VERSIONS)]
    assert [one and one.key for one in taken] == [key_of(2), key_of(1), None, key_of(3)]


def test_where_clocks_are_mixed_the_virtual_runs_come_first(
    platform: Platform, worker: uuid.UUID
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(4)])
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.position.in_((0, 2))).values(clock="real"))
    taken = [take(platform, worker) for _ in range(4)]
    assert [one and one.position for one in taken] == [1, 3, 0, 2]


def test_the_team_with_fewer_running_comes_first_then_priority(
    platform: Platform, worker: uuid.UUID
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(10, 14)], name="plain")
    urgent = [key_of(n) for n in range(20, 22)]
    submit(platform.sessions, platform.team_id, urgent, name="urgent", priority=5)
    submit(platform.sessions, platform.other_team_id, [key_of(30)], name="other")
    taken = [take(platform, worker) for _ in range(7)]
    names = [one.campaign for one in taken if one]
    assert names[0] == "urgent"
    assert names[1] == "other"
    assert names[2:] == ["urgent", "plain", "plain", "plain", "plain"]


def test_a_team_runs_no_more_than_its_quota(platform: Platform, worker: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id == platform.team_id).values(max_running=2))
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(5)])
    assert [take(platform, worker) is not None for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("state", ["paused", "cancelled", "finished", "refused"])
def test_only_campaigns_that_go_on_are_worked_on(
    platform: Platform, worker: uuid.UUID, state: str
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)], state=state)
    assert take(platform, worker) is None


def test_a_worker_takes_what_it_has_the_versions_for(platform: Platform, worker: uuid.UUID) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)])
    assert take(platform, worker, Versions("other", (KERNEL,))) is None
    assert take(platform, worker, Versions(VERSIONS.roles, ("other",))) is None
    assert take(platform, worker) is not None


def test_a_claim_names_the_kernel_of_its_combination(platform: Platform, worker: uuid.UUID) -> None:
    submit(platform.sessions, platform.team_id, [key_of(1)])
    taken = take(platform, worker)
    assert taken is not None
    assert taken.kernel_hash == KERNEL
    submit(platform.sessions, platform.team_id, [key_of(2)])
    with platform.sessions.begin() as session:
        session.execute(update(Combination).values(kernel_hash="patched"))
    taken = take(platform, worker)
    assert taken is not None
    assert taken.kernel_hash == "patched"


def test_a_key_with_a_result_is_never_run_again(platform: Platform, worker: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.add(
            Result(
                key=key_of(1),
                outcome="invalid",
                reason="conditions were not as asked",
                size_bytes=1,
                film_s=20.0,
                wall_s=1.0,
                metrics={},
            )
        )
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1), key_of(2)])
    found = take(platform, worker)
    assert found is not None
    assert found.key == key_of(2)
    assert states(platform.sessions, campaign_id) == ["invalid", "running"]
    with platform.sessions() as session:
        ended = session.scalars(select(Event).where(Event.kind == "run.ended")).one()
        assert ended.data["reason"] == "conditions were not as asked"
        own = select(Run.result_id).where(Run.campaign_id == campaign_id).order_by(Run.position)
        assert session.scalars(own).all() == [session.scalar(select(Result.id)), None]


def test_an_invalid_run_that_is_to_be_replaced_is_run_again(
    platform: Platform, worker: uuid.UUID
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(1)])
    with platform.sessions.begin() as session:
        session.add(
            Result(key=key_of(1), outcome="invalid", size_bytes=1, film_s=1, wall_s=1, metrics={})
        )
        session.execute(update(Run).where(Run.campaign_id == campaign_id).values(replaces=True))
    found = take(platform, worker)
    assert found is not None
    assert found.replaces


def test_teams_hold_slots_in_proportion_to_their_shares(
    platform: Platform, worker: uuid.UUID
) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id == platform.team_id).values(share=3))
    for team, first in ((platform.other_team_id, 1), (platform.team_id, 100)):
        submit(platform.sessions, team, [key_of(number) for number in range(first, first + 20)])
    claims = [take(platform, worker) for _ in range(8)]
    held = Counter(claimed.team_id for claimed in claims if claimed is not None)
    assert held == {platform.team_id: 6, platform.other_team_id: 2}


def take_some(platform: Platform, worker: uuid.UUID, at_most: int) -> list[Claim]:
    with platform.sessions.begin() as session:
        return claim(session, worker, VERSIONS, LEASE, at_most)


def test_a_fast_worker_takes_several_at_once_each_with_lease_event_and_attempt(
    platform: Platform, worker: uuid.UUID
) -> None:
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(n) for n in (3, 1, 2, 4)])
    taken = take_some(platform, worker, 3)
    assert [(one.key, one.position) for one in taken] == [
        (key_of(3), 0),
        (key_of(1), 1),
        (key_of(2), 2),
    ]
    assert states(platform.sessions, campaign_id) == ["running"] * 3 + ["queued"]
    with platform.sessions() as session:
        leases = {lease.key: lease for lease in session.scalars(select(Lease))}
        assert {key: lease.run_id for key, lease in leases.items()} == {
            one.key: one.run_id for one in taken
        }
        assert {lease.worker_id for lease in leases.values()} == {worker}
        for one in taken:
            run = session.get_one(Run, one.run_id)
            assert run.attempts == one.attempts == 1
            assert run.started_at is not None
            assert abs(leases[one.key].until - run.started_at - LEASE) < LEASE / 3
        events = select(Event).where(Event.kind == "run.started").order_by(Event.id)
        assert [event.data["position"] for event in session.scalars(events)] == [0, 1, 2]


def test_of_several_runs_of_a_key_one_is_taken_at_once(
    platform: Platform, worker: uuid.UUID
) -> None:
    keys = [key_of(1), key_of(1), key_of(2), key_of(1)]
    campaign_id = submit(platform.sessions, platform.team_id, keys)
    assert [one.position for one in take_some(platform, worker, 4)] == [0, 2]
    assert states(platform.sessions, campaign_id) == ["running", "queued", "running", "queued"]
    assert take_some(platform, worker, 4) == []


def test_known_results_and_leased_keys_are_passed_over_where_several_are_taken(
    platform: Platform, worker: uuid.UUID
) -> None:
    with platform.sessions.begin() as session:
        session.add_all(
            Result(key=key_of(n), outcome="succeeded", size_bytes=1, film_s=1, wall_s=1, metrics={})
            for n in (1, 2)
        )
    submit(platform.sessions, platform.other_team_id, [key_of(3)])
    assert len(take_some(platform, worker, 5)) == 1
    campaign_id = submit(platform.sessions, platform.team_id, [key_of(n) for n in range(1, 6)])
    assert [one.key for one in take_some(platform, worker, 2)] == [key_of(4), key_of(5)]
    assert states(platform.sessions, campaign_id) == [
        *("succeeded", "succeeded", "queued", "running", "running")
    ]


def test_of_two_teams_the_turn_changes_with_every_claim_of_several(
    platform: Platform, worker: uuid.UUID
) -> None:
    with platform.sessions.begin() as session:
        mine = Team.id == platform.team_id
        session.execute(update(Team).where(mine).values(share=2))
    for team, first in ((platform.team_id, 1), (platform.other_team_id, 100)):
        submit(platform.sessions, team, [key_of(number) for number in range(first, first + 60)])
    held: Counter[uuid.UUID] = Counter()
    for _ in range(9):
        held.update(one.team_id for one in take_some(platform, worker, 5))
    assert held == {platform.team_id: 30, platform.other_team_id: 15}


def test_what_was_tried_before_is_taken_by_itself(platform: Platform, worker: uuid.UUID) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(6)])
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.position.in_((2, 3))).values(attempts=1))
    taken = [[one.position for one in take_some(platform, worker, 8)] for _ in range(5)]
    assert taken == [[0, 1], [2], [3], [4, 5], []]


def test_several_at_once_are_no_more_than_the_quota(platform: Platform, worker: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).where(Team.id == platform.team_id).values(max_running=5))
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(9)])
    assert [len(take_some(platform, worker, 4)) for _ in range(3)] == [4, 1, 0]
