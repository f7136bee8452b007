"""How fast members are answered while clients hold connections: slow, half open or unread; and
while a worker on the same machine carries out players that attack it.

The API runs as `weir up` starts it, on a real Postgres, with players also on MinIO. Under each
attack 20 requests per second start on a fixed beat for 15 s; each is timed from its beat. Bound:
p99 within 250 ms.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

import httpx2
from weir_bench.common import show
from weir_orchestrator.settings import Settings
from weir_testing.guest_attacks import APPETITES, ATTACKS, ON_THE_PLATFORM
from weir_testing.patience import until
from weir_testing.platform import TEAM, besieged, fill, run_platform
from weir_testing.platform.attacked import attacked
from weir_testing.servers import postgres

CONNECTIONS = 500
REQUESTS_PER_S = 20
LAST_S = 15
BOUND_S = 0.25
_POST = (
    f"POST /api/v1/teams/{TEAM}/campaigns HTTP/1.1\r\nHost: a\r\n"
    "Authorization: Bearer token-of-submit\r\nContent-Type: application/json\r\n"
)
CONNECTED: dict[str, bytes] = {
    "none": b"",
    "slow_bodies": f"{_POST}Content-Length: 1000\r\n\r\n{{".encode(),
    "large_slow_bodies": f"{_POST}Content-Length: 4000000\r\n\r\n{{".encode(),
    "half_heads": b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\nX-A: ",
    "unread_answers": b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 20,
}


def main(json: bool = False) -> int:
    """Attack, ask, print; 1 where a bound is missed."""
    spent: dict[str, list[float]] = {}
    for name, sent in CONNECTED.items():
        with postgres.run() as server, tempfile.TemporaryDirectory() as data:
            url = server.create()
            fill(url)
            settings = Settings(auth="login", data=Path(data), database=url)
            with run_platform("served", settings) as platform, attacked(platform.settings) as api:
                for _ in range(CONNECTIONS if sent else 0):
                    api.connection().sendall(sent)
                spent[name] = _beat(api.url)
    spent["players"] = _under_players()
    found, missed = dict[str, object](), False
    for name, times_s in spent.items():
        p50_s, p99_s = (sorted(times_s)[int(part * (len(times_s) - 1))] for part in (0.5, 0.99))
        found |= {f"{name}_p50_s": p50_s, f"{name}_p99_s": p99_s}
        missed = missed or p99_s > BOUND_S
    show({**found, "load_average": os.getloadavg()[0]}, json)
    return 1 if missed else 0


def _under_players() -> list[float]:
    with tempfile.TemporaryDirectory() as folder, besieged.up(Path(folder), jobs=1) as up:
        attacks = {**ATTACKS, **ON_THE_PLATFORM, **APPETITES}
        made = besieged.begin(up.attacker, attacks, up.targets, replicates=20)
        until(lambda: up.attacker.show_campaign(made.id).counts.get("running"), "the first run")
        spent = _beat(f"{up.url}/api/v1")
        assert up.attacker.show_campaign(made.id).state == "active", "it ended before"
        return spent


def _beat(url: str) -> list[float]:
    """Seconds from each beat to the answer."""
    spent: list[float] = []
    headers = {"Authorization": "Bearer token-of-read"}
    with httpx2.Client(base_url=url, headers=headers, timeout=60) as client:
        client.get("/me")
        threads, began = [], time.monotonic()
        for number in range(REQUESTS_PER_S * LAST_S):
            at = began + number / REQUESTS_PER_S
            time.sleep(max(0.0, at - time.monotonic()))
            threads.append(threading.Thread(target=_ask, args=(client, at, spent)))
            threads[-1].start()
        for thread in threads:
            thread.join()
    return spent


def _ask(client: httpx2.Client, at: float, spent: list[float]) -> None:
    client.get(f"/teams/{TEAM}/campaigns").raise_for_status()
    spent.append(time.monotonic() - at)
