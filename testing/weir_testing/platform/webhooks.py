"""What tests of webhooks share: a receiver, a webhook to it, who delivers, and things to tell."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from weir_orchestrator.db import (
    Campaign,
)
from weir_orchestrator.events import emit
from weir_orchestrator.webhooks import KINDS, Deliverer, Planner

from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE
from weir_testing.platform.receiver import Receiver, receiving


@pytest.fixture
def open_platform(platform_with: Callable[..., Platform]) -> Platform:
    return platform_with(webhooks_to_private=True, public_url="https://weir.example.org")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def webhook(open_platform: Platform, receiver: Receiver) -> Any:
    asked = {"url": receiver.url, "events": list(KINDS)}
    answer = open_platform.client("admin").post(f"{HERE}/webhooks", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def deliverer(open_platform: Platform) -> Iterator[Deliverer]:
    with delivering(open_platform) as made:
        yield made


@contextmanager
def delivering(platform: Platform, **changes: Any) -> Iterator[Deliverer]:
    """A platform's deliverer at work. changes: of its arguments."""
    made = make_deliverer(platform, **changes)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def make_deliverer(platform: Platform, **changes: Any) -> Deliverer:
    reading = platform.app.state.reading
    return Deliverer(platform.sessions, reading, platform.settings, **changes)


def planner(platform: Platform) -> Planner:
    return Planner(platform.sessions, platform.app.state.reading, platform.settings)


def plan(platform: Platform) -> None:
    made = planner(platform)
    while made.plan():
        pass


def deliveries(platform: Platform, webhook: Any) -> list[Any]:
    answer = platform.client("admin").get(f"/api/v1/webhooks/{webhook['id']}/deliveries")
    assert answer.status_code == 200, answer.text
    listed: list[Any] = answer.json()["items"]
    return listed


def fail(platform: Platform, campaign: uuid.UUID, *runs: int) -> None:
    with platform.sessions.begin() as session:
        for run in runs:
            data = {"run_id": run, "position": run, "state": "failed", "reason": "r" * 9000}
            emit(session, platform.team_id, campaign, "run.ended", data)


def end(platform: Platform, campaign: uuid.UUID) -> None:
    with platform.sessions.begin() as session:
        session.get_one(Campaign, campaign).state = "finished"
        emit(session, platform.team_id, campaign, "campaign.state", {"state": "finished"})
