"""Whose turn it is where teams wait for servers of theirs."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from sqlalchemy import update
from weir_orchestrator.db import Schedule, utc_now
from weir_orchestrator.housekeeping.housekeeper import Housekeeper
from weir_orchestrator.schedules import Job, Turns
from weir_testing.git_server import GitServer
from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import OTHER_TEAM, TEAM, Platform
from weir_testing.platform.campaigns import body

_A, _B, _C = (uuid.UUID(int=number) for number in range(3))
_ABR: Final = (
    "class Abr:\n    def __init__(self, ladder, options):\n        pass\n"
    "    def choose(self, state):\n        return 0\n"
)


@pytest.fixture
def platform(platform_with: Callable[..., Platform]) -> Platform:
    """It may go to servers on this machine, however long they take."""
    return platform_with(webhooks_to_private=True, repository_limit=timedelta(seconds=PATIENCE_S))


@pytest.fixture
def done() -> list[str]:
    """Keys of jobs that were done."""
    return []


@pytest.fixture
def job(done: list[str]) -> Callable[..., Job]:
    def made(team: uuid.UUID, key: str, do: Callable[[], bool] = lambda: True) -> Job:
        def noted() -> bool:
            further = do()
            done.append(key)
            return further

        return Job(team, key, noted)

    return made


@pytest.fixture
def one_place() -> Iterator[Callable[[list[Job]], None]]:
    """Offers jobs to turns of one place, and waits until the one that was taken is over."""
    turns = Turns(1)

    def take(jobs: list[Job]) -> None:
        over = threading.Event()

        def ends(each: Job) -> Job:
            def do() -> bool:
                try:
                    return each.do()
                finally:
                    over.set()

            return Job(each.team, each.key, do)

        turns.take([ends(each) for each in jobs])
        over.wait()
        until(lambda: not turns.busy, "a free place")

    yield take
    turns.close()


def test_teams_take_turns_and_so_do_the_jobs_of_each(
    one_place: Callable[[list[Job]], None], job: Callable[..., Job], done: list[str]
) -> None:
    jobs = [job(_A, "a1"), job(_A, "a2"), job(_A, "a3"), job(_B, "b1"), job(_C, "c1")]
    for _ in range(8):
        one_place(jobs)
    assert done == ["a1", "b1", "c1", "a2", "b1", "c1", "a3", "b1"]


def test_a_job_that_waits_or_fails_holds_up_no_other_of_its_team(
    one_place: Callable[[list[Job]], None], job: Callable[..., Job], done: list[str]
) -> None:
    def fail() -> bool:
        raise RuntimeError("a bug")

    waits, fails = job(_A, "waits", lambda: False), job(_A, "fails", fail)
    for _ in range(3):
        one_place([waits, fails, job(_A, "goes on")])
    assert done == ["waits", "goes on"]


def test_a_team_whose_server_is_slow_holds_up_no_other(
    job: Callable[..., Job], done: list[str]
) -> None:
    turns, answers = Turns(2), threading.Event()
    slow, next_one = job(_A, "slow", answers.wait), job(_A, "next")
    turns.take([slow, next_one])
    for number in range(3):
        turns.take([slow, next_one, job(_B, f"quick {number}")])
        until(lambda: turns.busy == {_A}, "the quick one")
    assert done == ["quick 0", "quick 1", "quick 2"]
    answers.set()
    until(lambda: not turns.busy, "the slow one")
    turns.take([next_one])
    turns.close()
    assert done[-2:] == ["slow", "next"]


def test_nights_go_on_while_one_teams_repository_does_not_answer(
    platform: Platform, server: GitServer
) -> None:
    server.commit({"abr.py": _ABR})
    subject = {"name": "player.py", "repository": server.url, "branch": "main", "path": "abr.py"}
    slow = scheduled(platform, "submit", TEAM, campaign=own_player(), subjects=[subject])
    server.answers.clear()
    quick = scheduled(platform, "outsider", OTHER_TEAM, campaign=body())
    for schedule in (slow, quick):
        with platform.sessions.begin() as session:
            here = update(Schedule).where(Schedule.id == uuid.UUID(schedule))
            session.execute(here.values(next_at=utc_now()))
    housekeeper = Housekeeper(platform.settings)
    thread = threading.Thread(target=housekeeper.run)
    thread.start()
    try:
        until(lambda: outcome(platform, "outsider", quick) == "submitted", "the other's night")
        assert outcome(platform, "submit", slow) in {None, "due"}
        server.answers.set()
        until(lambda: outcome(platform, "submit", slow) == "submitted", "the slow one's night")
    finally:
        server.answers.set()
        housekeeper.stop()
        thread.join()


def own_player() -> dict[str, Any]:
    document = body()["document"]
    return {"document": document.replace("player: fixed", "player: ./player.py")}


def scheduled(platform: Platform, role: str, team: str, **fields: Any) -> str:
    given = {"name": "nightly", "cron": "30 2 * * *", **fields}
    answer = platform.client(role).post(f"/api/v1/teams/{team}/schedules", json=given)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def outcome(platform: Platform, role: str, schedule: str) -> str | None:
    last = platform.client(role).get(f"/api/v1/schedules/{schedule}").json()["last"]
    return last["outcome"] if last else None
