"""Watchers over HTTP: all events in order, for as long as they may watch, on both back ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine, delete, func, select, update
from weir_orchestrator.api.events.feed import Limits
from weir_orchestrator.db import Event, Membership, Token, utc_now
from weir_orchestrator.processes.__main__ import LISTEN_FD
from weir_testing.patience import PATIENCE_S
from weir_testing.platform import TEAM, Platform, id_of
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.served import Told, served, tell, watch
from weir_testing.platform.statements import noted
from weir_testing.platform.work import submit


def taken(told: Iterator[Told], number: int) -> list[int]:
    return [each.content["data"]["run_id"] for each in islice(told, number)]


@pytest.fixture(autouse=True)
def long_enough(platform_settings: tuple[str, dict[str, Any]]) -> None:
    """Streams last for as long as a test takes."""
    platform_settings[1]["watch"] = timedelta(minutes=2)


@pytest.fixture
def campaign(platform: Platform) -> uuid.UUID:
    return submit(platform.sessions, platform.team_id, [])


def test_a_watcher_is_told_what_happens(platform: Platform, campaign: uuid.UUID) -> None:
    other = submit(platform.sessions, platform.team_id, [])
    with served(platform) as url, watch(f"{url}/campaigns/{campaign}/events") as (answer, told):
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert next(told).kind == "open"
        tell(platform.sessions, platform, other, 7)
        tell(platform.sessions, platform, campaign, 1, 2)
        first = next(told)
        assert first.kind == first.content["kind"] == "run.ended"
        assert first.content["campaign"] == str(campaign)
        assert first.content["data"]["run_id"] == 1
        assert taken(told, 1) == [2]


def test_a_team_sees_its_campaigns_and_no_others(platform: Platform) -> None:
    mine = [submit(platform.sessions, platform.team_id, []) for _ in range(2)]
    theirs = submit(platform.sessions, platform.other_team_id, [])
    with served(platform) as url, watch(f"{url}/teams/{TEAM}/events") as (_, told):
        assert next(told).kind == "open"
        with platform.sessions.begin() as session:
            foreign = {"team_id": platform.other_team_id, "campaign_id": theirs}
            session.add(Event(**foreign, kind="run.ended", data={}))
        for number, each in enumerate(mine):
            tell(platform.sessions, platform, each, number)
        assert [each.content["campaign"] for each in islice(told, 2)] == [str(e) for e in mine]


def test_who_reconnects_gets_what_was_missed(platform: Platform, campaign: uuid.UUID) -> None:
    tell(platform.sessions, platform, campaign, 1, 2, 3)
    with platform.sessions() as session:
        seen = session.scalars(select(func.min(Event.id))).one()
    with served(platform) as url:
        address = f"{url}/campaigns/{campaign}/events"
        with watch(address, **{"Last-Event-ID": str(seen)}) as (_, told):
            assert next(told).id == seen
            assert taken(told, 2) == [2, 3]
            tell(platform.sessions, platform, campaign, 4)
            assert taken(told, 1) == [4]
        with watch(f"{address}?after={seen + 1}&kind=run.ended") as (_, told):
            assert next(told).kind == "open"
            assert taken(told, 2) == [3, 4]


def test_who_missed_too_much_is_told_so(platform: Platform, campaign: uuid.UUID) -> None:
    tell(platform.sessions, platform, campaign, *range(5))
    path = f"/campaigns/{campaign}/events?after=0"
    with served(platform, Limits(catch_up=3)) as url, watch(url + path) as (_, told):
        _, lagged = islice(told, 2)
        assert (lagged.kind, lagged.content) == ("lagged", {"missed": True})
        tell(platform.sessions, platform, campaign, 9)
        assert taken(told, 1) == [9]


def test_who_asks_for_removed_events_is_told_so(platform: Platform, campaign: uuid.UUID) -> None:
    tell(platform.sessions, platform, campaign, 1, 2, 3)
    with platform.sessions.begin() as session:
        oldest = session.scalars(select(func.min(Event.id))).one()
        session.execute(delete(Event).where(Event.id <= oldest + 1))
    path = f"/campaigns/{campaign}/events?after={oldest}"
    with served(platform) as url, watch(url + path) as (_, told):
        assert [each.kind for each in islice(told, 2)] == ["open", "lagged"]


def test_a_slow_watcher_resumes_without_loss(platform: Platform, campaign: uuid.UUID) -> None:
    number, each_bytes = 600, 30_000
    path = f"/campaigns/{campaign}/events"
    with served(platform, Limits(queue=20)) as url, watch(url + path) as (_, told):
        assert next(told).kind == "open"
        for batch in range(0, number, 50):
            every = range(batch, batch + 50)
            tell(platform.sessions, platform, campaign, *every, size=each_bytes)
        kinds: list[str] = []
        found: list[int] = []
        while len(found) < number:
            new = next(told)
            kinds.append(new.kind)
            if new.kind == "run.ended":
                found.append(new.content["data"]["run_id"])
            else:
                assert new.content == {"missed": False}
        assert "lagged" in kinds
        assert found == list(range(number))


@pytest.mark.parametrize("how", ["revoked", "left"])
def test_who_may_no_longer_watch_is_shown_out(
    platform: Platform, campaign: uuid.UUID, how: str
) -> None:
    path = f"/campaigns/{campaign}/events"
    with served(platform, Limits(check_s=0.2)) as url, watch(url + path) as (_, told):
        assert next(told).kind == "open"
        with platform.sessions.begin() as session:
            if how == "revoked":
                mine = update(Token).where(Token.created_by == id_of("read"))
                session.execute(mine.values(revoked_at=utc_now()))
            else:
                session.execute(delete(Membership).where(Membership.user_id == id_of("read")))
        rest = list(told)
        assert [each.kind for each in rest] == ["closed"]
        assert rest[0].content["reason"]


def test_strangers_may_not_watch(platform: Platform, campaign: uuid.UUID) -> None:
    for path in (f"/campaigns/{campaign}/events", f"/teams/{TEAM}/events"):
        assert platform.client("nobody").get(f"/api/v1{path}").status_code == 401
        assert platform.client("outsider").get(f"/api/v1{path}").status_code == 404


def test_a_stream_ends_after_its_time(platform: Platform, campaign: uuid.UUID) -> None:
    platform.app.state.settings.watch = timedelta(seconds=0.5)
    answer = platform.client("read").get(f"/api/v1/campaigns/{campaign}/events")
    assert answer.status_code == 200
    assert "event: open" in answer.text


def test_watchers_share_one_reader(platform: Platform, campaign: uuid.UUID) -> None:
    watchers = 30
    token = {"Authorization": "Bearer token-of-read"}
    with served(platform) as url, httpx2.Client(headers=token, timeout=PATIENCE_S) as client:
        opened = threading.Barrier(watchers + 1)

        def listen() -> None:
            with client.stream("GET", f"{url}/campaigns/{campaign}/events") as answer:
                lines = (line for line in answer.iter_lines() if line.startswith("event"))
                next(lines)
                opened.wait()
                assert list(islice(lines, 2)) == ["event: run.ended"] * 2

        threads = [threading.Thread(target=listen) for _ in range(watchers)]
        for thread in threads:
            thread.start()
        opened.wait(PATIENCE_S)

        with noted(Engine) as statements:
            began = time.monotonic()
            tell(platform.sessions, platform, campaign, 1)
            time.sleep(2)
            took_s = time.monotonic() - began
        reads = [each for each in statements if "FROM event" in each]
        tell(platform.sessions, platform, campaign, 2)
        for thread in threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
    assert 1 <= len(reads) <= took_s / 0.25 + 2


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_shutdown_ends_streams(platform: Platform, campaign: uuid.UUID) -> None:
    """The API's own process, as `weir up` starts it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        descriptor = listening.fileno()
        environment = {
            **os.environ,
            LISTEN_FD: str(descriptor),
            "WEIR_AUTH": "login",
            "WEIR_DATA": str(platform.settings.data),
            "WEIR_DATABASE": platform.settings.database_url,
            "WEIR_STORE": platform.settings.store_url,
        }
        words = [sys.executable, "-m", "weir_orchestrator.processes", "api"]
        api = subprocess.Popen(words, env=environment, pass_fds=(descriptor,))
        try:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}/api/v1"
            with watch(f"{url}/campaigns/{campaign}/events") as (_, told):
                assert next(told).kind == "open"
                api.send_signal(signal.SIGTERM)
                assert list(told) == []
            assert api.wait(PATIENCE_S) in {0, -signal.SIGTERM}
        finally:
            api.kill()
            api.wait()


def test_history_is_listed_newest_first(platform: Platform, campaign: uuid.UUID) -> None:
    tell(platform.sessions, platform, campaign, 1, 2, 3)
    client = platform.client("read")
    address = f"/api/v1/campaigns/{campaign}/history"
    first = client.get(address, params={"limit": 2})
    assert [each["data"]["run_id"] for each in first.json()["items"]] == [3, 2]
    rest = client.get(address, params={"limit": 2, "cursor": first.json()["next"]})
    assert [each["data"]["run_id"] for each in rest.json()["items"]] == [1]
    assert client.get(address, params={"kind": "campaign.state"}).json()["items"] == []
    unchanged = client.get(
        address, params={"limit": 2}, headers={"If-None-Match": first.headers["etag"]}
    )
    assert unchanged.status_code == 304
    assert platform.client("outsider").get(address).status_code == 404
