"""The test servers keep what was written through kill -9, and die with whoever started them."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

import obstore
import psycopg
import pytest
from obstore.store import S3Store
from weir_testing.patience import until
from weir_testing.servers import minio, postgres
from weir_testing.servers.folder import MEMORY
from weir_testing.servers.process import lives


def _connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


def test_postgres_keeps_committed_rows_when_it_is_killed(
    postgres_server: postgres.Postgres, database_url: str
) -> None:
    with _connect(database_url) as connection:
        connection.execute("CREATE TABLE t (x int)")
        connection.execute("INSERT INTO t VALUES (7)")
        before = postgres_server.pid
        postgres_server.kill()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    postgres_server.start()
    assert postgres_server.pid != before
    with _connect(database_url) as connection:
        assert connection.execute("SELECT x FROM t").fetchall() == [(7,)]


def test_a_killed_postgres_leaves_no_shared_memory() -> None:
    before = set(MEMORY.glob("PostgreSQL.*"))
    with postgres.run() as server:
        server.kill()
    assert set(MEMORY.glob("PostgreSQL.*")) <= before


def test_each_database_is_a_fresh_copy_of_its_template(postgres_server: postgres.Postgres) -> None:
    def fill(url: str) -> None:
        with _connect(url) as connection:
            connection.execute("CREATE TABLE t (x int)")

    template = postgres_server.template("one table", fill)
    assert postgres_server.template("one table", fill) == template
    first, second = postgres_server.create(template), postgres_server.create(template)
    with _connect(first) as connection:
        connection.execute("INSERT INTO t VALUES (7)")
    with _connect(second) as connection:
        assert connection.execute("SELECT x FROM t").fetchall() == []
    for url in (first, second):
        postgres_server.drop(url)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        _connect(first)


def test_minio_keeps_objects_when_it_is_killed(minio_server: minio.Minio, bucket_url: str) -> None:
    bucket = bucket_url.removeprefix("s3://").partition("?")[0]
    endpoint = minio_server.access.endpoint
    store = S3Store(bucket, endpoint=endpoint, client_options={"allow_http": True})
    obstore.put(store, "a/b", b"kept")
    minio_server.kill()
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{endpoint}/minio/health/live", timeout=5)
    minio_server.start()
    assert bytes(obstore.get(store, "a/b").bytes()) == b"kept"


@pytest.mark.parametrize("module", ["postgres", "minio"])
def test_a_server_dies_with_the_killed_process_that_started_it(module: str) -> None:
    # Started from a thread that ends at once: that alone must not end the server.
    program = f"""
import os, threading, time
from weir_testing.servers import {module}
held = []
def start():
    context = {module}.run()
    held.append((context, context.__enter__().pid))
thread = threading.Thread(target=start)
thread.start()
while os.path.exists(f"/proc/self/task/{{thread.native_id}}"):
    time.sleep(0.01)
print(held[0][1], flush=True)
time.sleep(600)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        assert lives(pid)
        starter.kill()
    until(lambda: not lives(pid), f"the end of {module}, whose starter was killed")


_MOUNTING = """
import subprocess, sys
from weir_testing.servers.folder import scratch
with scratch() as folder:
    point = folder / "mounted"
    point.mkdir()
    subprocess.run(["mount", "--bind", sys.argv[1], point], check=True)
    assert (point / "kept").exists()
assert not folder.exists()
"""


def test_a_folder_goes_with_what_is_mounted_in_it(tmp_path: Path) -> None:
    """In a mount namespace of its own."""
    kept = tmp_path / "kept"
    kept.touch()
    alone = ["unshare", "--map-root-user", "--mount"]
    tried = subprocess.run([*alone, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"mounting is not allowed here: {tried.stderr.strip()}")
    subprocess.run([*alone, sys.executable, "-c", _MOUNTING, tmp_path], check=True)
    assert kept.exists()
