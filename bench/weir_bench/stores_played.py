"""A campaign of stub runs on Postgres and MinIO, and what it costs both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from weir_bench import stores_play
from weir_bench.common import server_cpu_s
from weir_bench.stub_platform import settings
from weir_testing.checkout import ROOT
from weir_testing.servers.folder import MEMORY
from weir_testing.servers.minio import Minio
from weir_testing.servers.postgres import Postgres

__all__ = ["played"]

PACKAGES = (
    *("core", "lab", "engine", "services/orchestrator", "services/server", "services/client"),
    *("services/gateway", "sdk", "testing"),
)


def played(
    database: Postgres,
    store: Minio,
    runs: int,
    workers: int,
    *,
    jobs: int,
    run_s: float = 0.0,
    tree: Path = ROOT,
) -> dict[str, Any]:
    """What stores_play.py prints, and ms of CPU time a run of both servers.

    run_s: how long a run takes. jobs: how many of them a worker has in hand. tree: the checkout
    whose code carries them out. The store's access is in the environment.
    """
    servers = {"postgres": database.pid, "minio": store.pid}
    used_s = {name: server_cpu_s(pid) for name, pid in servers.items()}
    with tempfile.TemporaryDirectory(dir=MEMORY) as data:
        given = settings(database.create(), store.url(store.create()), data, jobs=jobs, run_s=run_s)
        code = (*(tree / package for package in PACKAGES), ROOT / "bench")
        path = os.pathsep.join(map(str, code))
        ended = subprocess.run(
            [sys.executable, stores_play.__file__, str(runs), str(workers)],
            env={**os.environ, **given, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    for name, pid in servers.items():
        found[f"{name}_ms"] = 1e3 * (server_cpu_s(pid) - used_s[name]) / runs
    return found
