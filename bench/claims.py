"""What claiming runs takes at any share of a campaign of 300,000, on a real Postgres.

A worker claims one run, and 36 at once, 20 times each: when no run has ended, and when ever more
have, with what Postgres had counted before that and with what it counts then. Bound: claiming one
takes at most twice as long as before any has ended, medians. WEIR_BENCH_RUNS asks for fewer runs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import Engine, delete, text, update
from weir_bench.common import middle, show
from weir_orchestrator.db import Lease, Run, Team, Worker, connect, make_sessions, schema
from weir_orchestrator.work.claim import claim
from weir_orchestrator.work.front import Front
from weir_testing.platform.work import VERSIONS, add_runs, key_of, submit
from weir_testing.servers import postgres

RUNS = 300_000
SHARES = (0.05, 0.1, 0.3, 0.6, 0.9)
TOGETHER = 36
CLAIMS = 20
BOUND = 2.0
LEASE = timedelta(seconds=30)


def main(json: bool = False) -> int:
    """Print medians (ms); 1 where the bound is missed."""
    runs = int(os.environ.get("WEIR_BENCH_RUNS", RUNS))
    with postgres.run() as server:
        engine = connect(server.create())
        schema.upgrade(engine)
        found = _play(engine, runs)
        engine.dispose()
    show({"runs": runs, **found}, json)
    ones = [value for name, value in found.items() if name.endswith("_one_ms")]
    return 0 if max(ones) <= BOUND * found["none_ended_one_ms"] else 1


def _play(engine: Engine, runs: int) -> dict[str, float]:
    sessions = make_sessions(engine)
    team, worker = Team(slug="bench", name="bench"), Worker(host="here", pid=1, jobs=2)
    with sessions.begin() as session:
        session.add_all([team, worker])
    submit(sessions, team.id, [key_of(0)])
    with sessions.begin() as session:
        add_runs(session, runs - 1)
    front = Front()

    def take(at_most: int) -> None:
        with sessions.begin() as session:
            taken = claim(session, worker.id, VERSIONS, LEASE, at_most, front)
        assert len(taken) == at_most, taken

    found = {"not_counted_one_ms": _median_ms(lambda: take(1))}
    _count(engine)
    found["none_ended_one_ms"] = _median_ms(lambda: take(1))
    for share in SHARES:
        with sessions.begin() as session:
            before = Run.position < int(share * runs)
            ended = update(Run).where(before, Run.state.in_(("queued", "running")))
            session.execute(ended.values(state="succeeded"))
            session.execute(delete(Lease))
        for name in ("", "_counted"):
            of = f"{share:.0%}_ended{name}".replace("%", "_percent")
            found[f"{of}_one_ms"] = _median_ms(lambda: take(1))
            found[f"{of}_{TOGETHER}_ms"] = _median_ms(lambda: take(TOGETHER))
            _count(engine)
    return found


def _median_ms(do: Callable[[], None]) -> float:
    spent = []
    for _ in range(CLAIMS):
        began_s = time.perf_counter()
        do()
        spent.append(1e3 * (time.perf_counter() - began_s))
    return middle(spent)


def _count(engine: Engine) -> None:
    """What Postgres does by itself a minute after so many rows changed, but tidies nothing up."""
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
