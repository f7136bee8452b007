"""200 watchers of live events and 100 API requests per second for a minute, on a real Postgres.

The API runs as `weir up` starts it. Half of the watchers follow the whole team, the others one of
20 campaigns each; 10 events happen per second. Requests start on a fixed beat, whether or not
earlier ones were answered; each is timed from its beat. Bounds: no error, every watcher is told
every event once and in order, p99 of the requests within 250 ms.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json as json_format
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy.orm import Session, sessionmaker
from weir_bench.common import show
from weir_orchestrator.db import Membership, Team, Token, User, connect, make_sessions, schema
from weir_orchestrator.events import emit
from weir_testing.platform.work import key_of, submit
from weir_testing.servers import postgres

WATCHERS = 200
REQUESTS_PER_S = 100
EVENTS_PER_S = 10
LAST_S = 60
CAMPAIGNS = 20
BOUND_S = 0.25
TOKEN = "weir_bench"
TEAM = "bench"


def main(json: bool = False) -> int:
    """Watch, ask, print; 1 where a bound is missed."""
    with postgres.run() as server, tempfile.TemporaryDirectory() as data:
        url = server.create()
        engine = connect(url)
        schema.upgrade(engine)
        sessions = make_sessions(engine)
        team_id, campaigns = _fill(sessions)
        with _api(url, data) as address:
            load = Load(address, sessions, team_id, campaigns)
            found = asyncio.run(load.run())
        found["platform_cpu_s"] = _cpu_of_ended_children_s()
        engine.dispose()
    show(found, json)
    bad = found["errors"] or found["not_in_order"] or found["request_p99_s"] > BOUND_S
    return 1 if bad else 0


class Load:
    """Watchers, requests and events, and what came of them."""

    def __init__(
        self,
        address: str,
        sessions: sessionmaker[Session],
        team_id: uuid.UUID,
        campaigns: list[uuid.UUID],
    ) -> None:
        self._address = address
        self._sessions = sessions
        self._team_id = team_id
        self._campaigns = campaigns
        self._told: list[list[int]] = [[] for _ in range(WATCHERS)]
        self._delays: list[float] = []
        self._spent: list[float] = []
        self._errors: Counter[str] = Counter()
        self._open = 0

    async def run(self) -> dict[str, Any]:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(
            base_url=self._address, headers=headers, limits=limits, timeout=30
        ) as client:
            watching = [asyncio.create_task(self._watch(client, n)) for n in range(WATCHERS)]
            while self._open < WATCHERS:
                await asyncio.sleep(0.05)
            telling = asyncio.create_task(asyncio.to_thread(self._tell))
            await self._ask(client)
            await telling
            await asyncio.sleep(2)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
        return self._found()

    def _found(self) -> dict[str, Any]:
        every = range(EVENTS_PER_S * LAST_S)
        wrong = sum(
            self._told[number] != [each for each in every if self._sees(number, each)]
            for number in range(WATCHERS)
        )
        return {
            "watchers": WATCHERS,
            "events_told": sum(map(len, self._told)),
            "not_in_order": wrong,
            "event_delay_p50_s": _quantile(self._delays, 0.5),
            "event_delay_p99_s": _quantile(self._delays, 0.99),
            "requests": len(self._spent),
            "request_p50_s": _quantile(self._spent, 0.5),
            "request_p95_s": _quantile(self._spent, 0.95),
            "request_p99_s": _quantile(self._spent, 0.99),
            "errors": sum(self._errors.values()),
            "error_kinds": dict(self._errors),
            "load_average": os.getloadavg()[0],
        }

    def _sees(self, watcher: int, event: int) -> bool:
        return watcher % 2 == 0 or watcher // 2 % CAMPAIGNS == event % CAMPAIGNS

    async def _watch(self, client: httpx2.AsyncClient, number: int) -> None:
        campaign = self._campaigns[number // 2 % CAMPAIGNS]
        path = f"/teams/{TEAM}/events" if number % 2 == 0 else f"/campaigns/{campaign}/events"
        try:
            async with client.stream("GET", path) as answer:
                answer.raise_for_status()
                async for line in answer.aiter_lines():
                    if line == "event: open":
                        self._open += 1
                    elif line in {"event: lagged", "event: closed"}:
                        self._errors[line] += 1
                    elif line.startswith("data: ") and "run_id" in line:
                        data = json_format.loads(line.removeprefix("data: "))["data"]
                        self._told[number].append(data["run_id"])
                        self._delays.append(time.monotonic() - data["told_s"])
        except httpx2.HTTPError as error:
            self._errors[f"watcher: {type(error).__name__}"] += 1

    def _tell(self) -> None:
        beat = time.monotonic()
        for number in range(EVENTS_PER_S * LAST_S):
            time.sleep(max(0.0, beat + number / EVENTS_PER_S - time.monotonic()))
            with self._sessions.begin() as session:
                campaign = self._campaigns[number % CAMPAIGNS]
                data = {"run_id": number, "told_s": time.monotonic()}
                emit(session, self._team_id, campaign, "run.started", data)

    async def _ask(self, client: httpx2.AsyncClient) -> None:
        beat = time.monotonic()
        asking = []
        paths = itertools.cycle(self._paths())
        for number in range(REQUESTS_PER_S * LAST_S):
            due = beat + number / REQUESTS_PER_S
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            asking.append(asyncio.create_task(self._request(client, next(paths), due)))
        await asyncio.gather(*asking)

    async def _request(self, client: httpx2.AsyncClient, path: str, due: float) -> None:
        try:
            answer = await client.get(path)
            if answer.status_code != 200:
                self._errors[f"{answer.status_code} {path.partition('?')[0]}"] += 1
        except httpx2.HTTPError as error:
            self._errors[f"request: {type(error).__name__}"] += 1
        self._spent.append(time.monotonic() - due)

    def _paths(self) -> list[str]:
        found = []
        for campaign in self._campaigns:
            here = f"/campaigns/{campaign}"
            found += [f"/teams/{TEAM}/campaigns", here, f"{here}/progress", f"{here}/runs"]
            found += [f"{here}/history", "/me"]
        return found


def _fill(sessions: sessionmaker[Session]) -> tuple[uuid.UUID, list[uuid.UUID]]:
    with sessions.begin() as session:
        team = Team(slug=TEAM, name=TEAM)
        user = User(email="bench@example.org", name="bench", is_admin=True)
        session.add_all([team, user])
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user.id, role="admin"))
        secret = hashlib.sha256(TOKEN.encode()).hexdigest()
        token = {"name": "bench", "scope": "admin", "secret_hash": secret}
        session.add(Token(team_id=team.id, created_by=user.id, **token))
    numbers = itertools.count()
    # Paused: no worker is there, and housekeeping leaves them alone.
    return team.id, [
        submit(sessions, team.id, [key_of(next(numbers)) for _ in range(100)], state="paused")
        for _ in range(CAMPAIGNS)
    ]


@contextmanager
def _api(database: str, data: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["up", "--workers", "0", "--auth", "login", "--port", str(port)]
    words += ["--data", data, "--database", database]
    weir = Path(sys.executable).with_name("weir")
    with subprocess.Popen([weir, *words], stdout=subprocess.DEVNULL) as platform:
        address = f"http://127.0.0.1:{port}/api/v1"
        try:
            _wait_for(f"{address}/health/ready")
            yield address
        finally:
            platform.terminate()


def _cpu_of_ended_children_s() -> float:
    """Of `weir up` and its processes from start to end; Postgres still runs."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(spent.ru_utime + spent.ru_stime, 1)


def _wait_for(address: str) -> None:
    for _ in range(300):
        try:
            if httpx2.get(address).status_code == 200:
                return
        except httpx2.HTTPError:
            pass
        time.sleep(0.1)
    raise TimeoutError("the API did not start")


def _quantile(values: list[float], share: float) -> float:
    return round(sorted(values)[int(share * (len(values) - 1))], 4) if values else float("nan")


if __name__ == "__main__":
    raise SystemExit(main())
