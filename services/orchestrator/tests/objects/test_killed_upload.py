"""What an upload leaves in an object store when its process is killed over it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from weir_orchestrator import objects
from weir_testing.files import named
from weir_testing.patience import until
from weir_testing.servers import minio

KEY = "runs/k/tcp.parquet"
PROGRAM = """
import sys
from pathlib import Path
from weir_orchestrator import objects
objects.open_store(sys.argv[1]).put_file(sys.argv[2], Path(sys.argv[3]))
"""


@pytest.fixture
def forgetful() -> Iterator[minio.Minio]:
    """A MinIO that removes parts of uploads after seconds; by default it does after a day."""
    soon = {
        "MINIO_API_STALE_UPLOADS_EXPIRY": "5s",
        "MINIO_API_STALE_UPLOADS_CLEANUP_INTERVAL": "1s",
    }
    with minio.run(soon) as server, server.access.in_environment():
        yield server


def parts(server: minio.Minio) -> list[Path]:
    """Of uploads that are under way or were given up."""
    return named(server.data / ".minio.sys" / "multipart", "part.*")


def was_killed_over(upload: subprocess.Popen[bytes], server: minio.Minio) -> bool:
    """Kill it as its first parts are stored; false where it ended before that was seen."""
    until(lambda: bool(parts(server)) or upload.poll() is not None)
    seen = upload.poll() is None
    upload.kill()
    upload.wait()
    return seen


def test_parts_of_a_killed_upload_are_no_object_and_are_forgotten(
    forgetful: minio.Minio, tmp_path: Path
) -> None:
    url = forgetful.url(forgetful.create())
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(200 << 20)
    # A loaded machine may look too late.
    for _ in range(4):
        if was_killed_over(
            subprocess.Popen([sys.executable, "-c", PROGRAM, url, KEY, large]), forgetful
        ):
            break
    else:
        pytest.fail("it always ended before it could be killed")
    assert parts(forgetful)
    assert list(objects.open_store(url).list()) == []
    until(lambda: not parts(forgetful))
