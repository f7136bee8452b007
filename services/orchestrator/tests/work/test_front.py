"""Looking for a campaign's next run where the last one was."""

from __future__ import annotations

import uuid
from datetime import timedelta

from weir_orchestrator.db import Worker
from weir_orchestrator.work import lease
from weir_orchestrator.work.claim import Claim, claim
from weir_orchestrator.work.front import Front
from weir_testing.platform import Platform
from weir_testing.platform.work import VERSIONS, key_of, submit

LEASE = timedelta(seconds=30)


def test_a_place_is_of_a_campaign_and_a_clock_and_forgotten_in_time() -> None:
    now_s = [0.0]
    front = Front(clock_s=lambda: now_s[0])
    one, other = uuid.uuid4(), uuid.uuid4()
    front.reached(one, "virtual", 7)
    now_s[0] = 20.0
    front.reached(one, "virtual", 9)
    assert front.of(one, "virtual") == 9
    assert front.of(one, "real") == front.of(other, "virtual") == 0
    now_s[0] = 31.0
    assert front.of(one, "virtual") == 0


def test_what_is_queued_again_is_taken_after_what_follows_or_when_the_place_is_forgotten(
    platform: Platform,
) -> None:
    submit(platform.sessions, platform.team_id, [key_of(n) for n in range(5)])
    worker = Worker(host="here", pid=1, jobs=1)
    with platform.sessions.begin() as session:
        session.add(worker)
    now_s = [0.0]
    front = Front(clock_s=lambda: now_s[0])
    taken: dict[int, Claim] = {}

    def take() -> int:
        with platform.sessions.begin() as session:
            (one,) = claim(session, worker.id, VERSIONS, LEASE, front=front)
        taken[one.position] = one
        return one.position

    def give_back(position: int) -> None:
        with platform.sessions.begin() as session:
            lease.give_back(session, worker.id, taken[position].run_id, taken[position].key)

    assert [take(), take()] == [0, 1]
    give_back(0)
    assert take() == 2
    now_s[0] = 31.0
    assert take() == 0
    give_back(1)
    assert [take(), take(), take()] == [1, 3, 4]
    give_back(0)
    assert take() == 0
