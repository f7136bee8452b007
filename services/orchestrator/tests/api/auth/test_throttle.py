"""Trying passwords is slowed down, by all processes of the API together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import cycle, islice

import pytest
from sqlalchemy import func, select, update
from weir_orchestrator.api.auth.throttle import (
    PER_ACCOUNT,
    PER_ADDRESS,
    PER_PAIR,
    Throttle,
    network,
)
from weir_orchestrator.db import TryCount, utc_now
from weir_orchestrator.errors import TooManyRequests
from weir_orchestrator.housekeeping import retention
from weir_testing.platform import Platform, email_of
from weir_testing.platform.fixtures import SERVED

SESSION = "/api/v1/session"
WRONG = {"email": email_of("submit"), "password": "wrong"}


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_an_account_is_tried_so_often_over_all_processes(
    platform_with: Callable[..., Platform],
) -> None:
    browsers = [platform_with().client("nobody") for _ in range(2)]
    answers = [each.post(SESSION, json=WRONG) for each in islice(cycle(browsers), 11)]
    assert [answer.status_code for answer in answers] == [401] * PER_PAIR.amount + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    for browser in browsers:
        assert browser.post(SESSION, json=WRONG).status_code == 429
    other = {**WRONG, "email": email_of("read")}
    assert browsers[0].post(SESSION, json=other).status_code == 401


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_the_right_password_waits_as_well(platform: Platform) -> None:
    new = {"email": "ada@example.org", "name": "Ada", "password": "a pass phrase of Ada's"}
    assert platform.client("operator").post("/api/v1/users", json=new).status_code == 201
    given = {"email": new["email"], "password": new["password"]}
    browser = platform.client("nobody")
    for _ in range(PER_PAIR.amount):
        browser.post(SESSION, json={**given, "password": "wrong"})
    assert browser.post(SESSION, json=given).status_code == 429
    with platform.sessions.begin() as session:
        session.execute(update(TryCount).values(ends_at=utc_now() - timedelta(seconds=1)))
    assert browser.post(SESSION, json=given).status_code == 204, "the minute is over"


def test_none_of_many_tries_at_once_is_left_out(platform: Platform) -> None:
    throttles = [Throttle(platform.sessions) for _ in range(4)]

    def answered(number: int) -> str:
        try:
            throttles[number % 4].sign_in("ada@example.org", f"10.0.0.{number % 2}")
        except TooManyRequests:
            return "refused"
        return "taken"

    with ThreadPoolExecutor(8) as pool:
        seen = Counter(pool.map(answered, range(60)))
    assert seen == {"taken": 2 * PER_PAIR.amount, "refused": 60 - 2 * PER_PAIR.amount}
    with platform.sessions() as session:
        counts = session.scalars(select(TryCount.count)).all()
    assert sorted(counts) == [20, 30, 30, 30, 30]


def test_an_address_is_refused_whatever_account_it_tries(platform: Platform) -> None:
    throttle = Throttle(platform.sessions)
    for number in range(PER_ADDRESS.amount):
        throttle.sign_in(f"{number}@example.org", "10.0.0.1")
    with pytest.raises(TooManyRequests, match="too many tries to sign in; wait"):
        throttle.sign_in("another@example.org", "10.0.0.1")
    throttle.sign_in("another@example.org", "10.0.0.2")


def test_who_tries_from_many_places_neither_guesses_fast_nor_keeps_the_owner_out(
    platform: Platform,
) -> None:
    throttle = Throttle(platform.sessions)
    for number in range(PER_ACCOUNT.amount):
        throttle.sign_in("ada@example.org", f"10.0.{number}.1")
    with pytest.raises(TooManyRequests):
        throttle.sign_in("ada@example.org", "10.1.0.1")
    throttle.sign_in("ada@example.org", "10.1.0.2", is_known=True)


def test_the_owner_is_known_where_a_sign_in_succeeded(platform: Platform) -> None:
    new = {"email": "ada@example.org", "name": "Ada", "password": "a pass phrase of Ada's"}
    assert platform.client("operator").post("/api/v1/users", json=new).status_code == 201
    given = {"email": new["email"], "password": new["password"]}
    browser = platform.client("nobody")
    assert browser.post(SESSION, json=given).status_code == 204
    throttle = Throttle(platform.sessions)
    with pytest.raises(TooManyRequests):
        for number in range(PER_ACCOUNT.amount + 1):
            throttle.sign_in(new["email"], f"10.0.{number}.1")
    assert browser.post(SESSION, json=given).status_code == 204


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("testclient", "testclient"),
        (None, "unknown"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str | None, counted: str) -> None:
    assert network(address) == counted


def test_counts_are_removed_when_they_are_over(platform: Platform) -> None:
    throttle = Throttle(platform.sessions)
    throttle.sign_in("ada@example.org", "10.0.0.1")
    retention.remove_old(platform.sessions, platform.settings)
    with platform.sessions.begin() as session:
        assert session.scalar(select(func.count()).select_from(TryCount)) == 3
        session.execute(update(TryCount).values(ends_at=utc_now() - timedelta(seconds=1)))
    retention.remove_old(platform.sessions, platform.settings)
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(TryCount)) == 0
