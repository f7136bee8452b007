"""How fast members are answered while clients hold connections: slow, half open or unread.

The API runs as `weir up` starts it, on a real Postgres. Under each attack 20 requests per second
start on a fixed beat for 15 s; each is timed from its beat. Bound: p99 within 250 ms.
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
from weir_testing.platform import TEAM, fill, run_platform
from weir_testing.platform.attacked import Attacked, attacked
from weir_testing.servers import postgres

CONNECTIONS = 500
REQUESTS_PER_S = 20
LAST_S = 15
BOUND_S = 0.25
_POST = (
    f"POST /api/v1/teams/{TEAM}/campaigns HTTP/1.1\r\nHost: a\r\n"
    "Authorization: Bearer token-of-submit\r\nContent-Type: application/json\r\n"
)
ATTACKS: dict[str, bytes] = {
    "none": b"",
    "slow_bodies": f"{_POST}Content-Length: 1000\r\n\r\n{{".encode(),
    "large_slow_bodies": f"{_POST}Content-Length: 4000000\r\n\r\n{{".encode(),
    "half_heads": b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\nX-A: ",
    "unread_answers": b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 20,
}


def main(json: bool = False) -> int:
    """Attack, ask, print; 1 where a bound is missed."""
    found: dict[str, object] = {}
    missed = False
    for name, sent in ATTACKS.items():
        with postgres.run() as server, tempfile.TemporaryDirectory() as data:
            url = server.create()
            fill(url)
            settings = Settings(auth="login", data=Path(data), database=url)
            with run_platform("served", settings) as platform, attacked(platform) as api:
                for _ in range(CONNECTIONS if sent else 0):
                    api.connection().sendall(sent)
                spent = sorted(_beat(api))
        p99_s = spent[int(0.99 * (len(spent) - 1))]
        found |= {f"{name}_p50_s": spent[len(spent) // 2], f"{name}_p99_s": p99_s}
        missed = missed or p99_s > BOUND_S
    show({**found, "load_average": os.getloadavg()[0]}, json)
    return 1 if missed else 0


def _beat(api: Attacked) -> list[float]:
    """Seconds from each beat to the answer."""
    spent: list[float] = []
    headers = {"Authorization": "Bearer token-of-read"}
    with httpx2.Client(base_url=api.url, headers=headers, timeout=60) as client:
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
