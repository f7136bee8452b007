"""What a run of a second costs Postgres and MinIO where many workers end runs one by one.

As the pods of a cluster do: twenty workers of a stub run at a time, on the cores of both servers.
"""

from __future__ import annotations

from typing import Any

from weir_bench.stores_played import played
from weir_testing.servers import minio, postgres

RUNS = 2_000
RUN_S = 1.0
WORKERS = 20


def measure(runs: int) -> dict[str, Any]:
    """See `played`."""
    with postgres.run() as database, minio.run() as store, store.access.in_environment():
        return played(database, store, runs, WORKERS, jobs=1, run_s=RUN_S)
