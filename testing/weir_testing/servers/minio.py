"""A real MinIO on loopback, built from source by tools/minio/build, with data of its own."""

from __future__ import annotations

import secrets
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

import obstore
import pytest
from obstore.store import S3Store

from weir_testing.checkout import ROOT
from weir_testing.patience import PATIENCE_S
from weir_testing.servers.folder import scratch
from weir_testing.servers.process import ServerProcess, free_port

BUILD = ROOT / "tools" / "minio" / "build"
REGION = "us-east-1"


@dataclass(frozen=True)
class Access:
    """What a client needs: where the server is, and who may use it."""

    endpoint: str
    key: str
    secret: str

    @property
    def environment(self) -> dict[str, str]:
        """The variables that S3 clients read their credentials from."""
        return {
            "AWS_ACCESS_KEY_ID": self.key,
            "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_REGION": REGION,
        }

    @contextmanager
    def in_environment(self) -> Iterator[None]:
        """Set them for this process's own clients, until the end of the block."""
        with pytest.MonkeyPatch.context() as patched:
            for name, value in self.environment.items():
                patched.setenv(name, value)
            yield


class Minio:
    """A running server; `run()` makes one."""

    def __init__(self, process: ServerProcess, access: Access, data: Path) -> None:
        self._process = process
        self.access = access
        self.data = data
        self._made = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    def create(self) -> str:
        """The name of a new, empty bucket."""
        self._made += 1
        name = f"weir-{self._made}"
        if (status := _ask(self.access, "PUT", name)) != 200:
            raise RuntimeError(f"MinIO made no bucket {name}: HTTP status {status}")
        return name

    def url(self, bucket: str, prefix: str = "") -> str:
        """A store URL: `s3://bucket/prefix?endpoint=...`; credentials are the environment's."""
        where = f"{bucket}/{prefix}" if prefix else bucket
        return f"s3://{where}?endpoint={quote(self.access.endpoint, safe=':/')}"

    def folder_url(self) -> str:
        """A store URL of a new folder of a bucket that they share: nothing is asked for it."""
        self._made += 1
        return self.url(self._shared, f"folder-{self._made}")

    @cached_property
    def _shared(self) -> str:
        return self.create()

    def start(self) -> None:
        """Start it again after `kill()` or `stop()`: same port, same data."""
        self._process.start()

    def stop(self) -> None:
        """Orderly: requests under way are finished."""
        self._process.stop()

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()


@contextmanager
def run(
    settings: Mapping[str, str] = MappingProxyType({}), *, in_memory: bool = False
) -> Iterator[Minio]:
    """A server with a data folder and credentials of its own, all gone at the end.

    settings: variables of its environment, such as MINIO_API_STALE_UPLOADS_EXPIRY.
    in_memory: see `scratch`.
    Raises RuntimeError when it cannot be built or does not start.
    """
    program = _program()
    port, console = free_port(), free_port()
    endpoint = f"http://127.0.0.1:{port}"
    access = Access(endpoint, f"weir{secrets.token_hex(4)}", secrets.token_hex(16))
    with scratch(in_memory=in_memory) as folder:
        process = ServerProcess(
            [
                *(program, "server", str(folder / "data"), "--quiet", "--anonymous"),
                *("--address", f"127.0.0.1:{port}", "--console-address", f"127.0.0.1:{console}"),
            ],
            folder / "log.txt",
            ready=lambda: _answers(access),
            env={
                "HOME": str(folder),
                "MINIO_ROOT_USER": access.key,
                "MINIO_ROOT_PASSWORD": access.secret,
                "MINIO_REGION": REGION,
                "MINIO_BROWSER": "off",
                "MINIO_UPDATE": "off",
                "MINIO_CI_CD": "on",
                **settings,
            },
        )
        process.start()
        try:
            yield Minio(process, access, folder / "data")
        finally:
            process.kill()


@cache
def _program() -> str:
    built = subprocess.run([BUILD], stdout=subprocess.PIPE, text=True, check=False)
    if built.returncode:
        raise RuntimeError(f"{BUILD.name}: MinIO was not built (exit code {built.returncode})")
    return built.stdout.strip()


def _answers(access: Access) -> bool:
    """Whether it knows users and buckets already; its own health pages are early by moments."""
    try:
        return _ask(access, "GET", "no-such-bucket") == 404
    except OSError:
        return False


def _ask(access: Access, method: Literal["GET", "PUT"], bucket: str) -> int:
    """The HTTP status of a signed request about a bucket."""
    store = S3Store(
        bucket,
        endpoint=access.endpoint,
        access_key_id=access.key,
        secret_access_key=access.secret,
        region=REGION,
        client_options={"allow_http": True},
    )
    signed = obstore.sign(store, method, "", timedelta(minutes=1))
    try:
        with urllib.request.urlopen(
            urllib.request.Request(signed, method=method), timeout=PATIENCE_S
        ) as got:
            status: int = got.status
            return status
    except urllib.error.HTTPError as refusal:
        return refusal.code
