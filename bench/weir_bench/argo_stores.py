"""What a run of a second costs Postgres where many workers end runs one by one, as pods do.

Twenty workers of a stub run at a time, on the cores of both servers. MinIO's cost is that of 30 kB
of files: less than that of real ones.
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
