"""A real Postgres on loopback, from Debian's package, with data that nothing else uses."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from weir_testing.servers.folder import scratch
from weir_testing.servers.process import ServerProcess, free_port

ROOTS = ("/usr/lib/postgresql", "/usr/pgsql", "/usr/local/pgsql", "/opt/postgresql")
USER = "weir"

# Killed processes lose nothing that was written: only a machine's crash needs the disk's word.
# synchronous_commit stays on, for what is not yet written dies with the process.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "128MB",
    # Files in the data folder: a killed server would leave them in /dev/shm for good.
    "dynamic_shared_memory_type": "mmap",
    "log_statement": "none",
}


class Postgres:
    """A running server; `run()` makes one."""

    def __init__(
        self, process: ServerProcess, port: int, password: str, version: tuple[int, ...]
    ) -> None:
        self._process = process
        # By its files, which costs half of what it does row by row; before 15 always so.
        self._how = sql.SQL("STRATEGY file_copy" if version >= (15,) else "")
        self._port = port
        self._password = password
        self._templates: dict[str, str] = {}
        self._made = 0
        self._administrator: psycopg.Connection[tuple[object, ...]] | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def url(self, database: str = "postgres") -> str:
        """SQLAlchemy's URL of a database, by psycopg 3."""
        return f"postgresql+psycopg://{USER}:{self._password}@127.0.0.1:{self._port}/{database}"

    def create(self, template: str = "template0") -> str:
        """The URL of a new database: an empty one, or a copy of what `template()` returned."""
        self._made += 1
        name = f"weir_{self._made}"
        self._admin(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} {}").format(
                sql.Identifier(name), sql.Identifier(template), self._how
            )
        )
        return self.url(name)

    def drop(self, url: str) -> None:
        """Remove a database; whoever is connected to it is thrown out."""
        name = urlsplit(url).path.lstrip("/")
        self._admin(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def template(self, name: str, fill: Callable[[str], None]) -> str:
        """A database to copy, filled once by `fill(url)` (run the migrations there).

        fill: must leave no connection open, for Postgres copies only what nobody uses.
        """
        if name not in self._templates:
            url = self.create()
            fill(url)
            self._templates[name] = urlsplit(url).path.lstrip("/")
        return self._templates[name]

    def start(self) -> None:
        """Start it again after `kill()` or `stop()`: same port, same data."""
        self._process.start()

    def stop(self) -> None:
        """Orderly: sessions are ended, the data is checkpointed ("fast" shutdown)."""
        self._sign_off()
        self._process.stop(signal.SIGINT)

    def kill(self) -> None:
        """kill -9 of the server and all its backends."""
        self._sign_off()
        self._process.kill()

    def _admin(self, statement: sql.Composed) -> None:
        if self._administrator is None:  # one for all: a session costs more than what it does
            dsn = self.url().replace("+psycopg", "")
            self._administrator = psycopg.connect(dsn, autocommit=True)
        self._administrator.execute(statement)

    def _sign_off(self) -> None:
        if self._administrator is not None:
            self._administrator.close()
            self._administrator = None


@contextmanager
def run(*, in_memory: bool = False) -> Iterator[Postgres]:
    """A server with a data folder of its own, both gone at the end; in_memory: see `scratch`.

    Raises RuntimeError when Postgres is not installed or does not start.
    """
    binaries = _binaries()
    # Postgres refuses to run as root; the package brings this user.
    user = "postgres" if os.getuid() == 0 else None
    password = secrets.token_hex(16)
    with scratch(in_memory=in_memory) as folder:
        _initdb(binaries, folder, password, user)
        port = free_port()
        process = ServerProcess(
            [
                str(binaries / "postgres"),
                *("-D", str(folder / "data"), "-p", str(port)),
                *(word for item in SETTINGS.items() for word in ("-c", "=".join(item))),
            ],
            folder / "log.txt",
            ready=lambda: _answers(port, password),
            user=user,
        )
        process.start()
        server = Postgres(process, port, password, _version(binaries))
        try:
            yield server
        finally:
            server.kill()


def _binaries() -> Path:
    """The newest installed version's folder of programs."""
    found = [path.parent for root in ROOTS for path in Path(root).glob("**/bin/postgres")]
    if on_path := shutil.which("postgres"):
        found.append(Path(on_path).parent)
    if not found:
        raise RuntimeError(
            f"no Postgres below {', '.join(ROOTS)} or on PATH: .ci/apt postgresql installs one"
        )
    return max(found, key=_version)


def _version(binaries: Path) -> tuple[int, ...]:
    """`15.16` -> (15, 16)."""
    said = subprocess.run(
        [binaries / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    return tuple(int(part) for part in said.split()[2].split(".") if part.isdigit())


def _initdb(binaries: Path, folder: Path, password: str, user: str | None) -> None:
    secret = folder / "password"
    secret.write_text(password)
    if user:
        for path in (folder, secret):
            shutil.chown(path, user, user)
    done = subprocess.run(
        [
            str(binaries / "initdb"),
            *("--pgdata", str(folder / "data"), "--username", USER),
            *("--pwfile", str(secret), "--auth", "scram-sha-256"),
            *("--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"),
        ],
        capture_output=True,
        text=True,
        check=False,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        cwd=folder,
    )
    secret.unlink()
    if done.returncode:
        raise RuntimeError(f"initdb: {done.stderr or done.stdout}")


def _answers(port: int, password: str) -> bool:
    try:
        psycopg.connect(
            host="127.0.0.1", port=port, user=USER, password=password, dbname="postgres"
        ).close()
    except psycopg.OperationalError:
        return False
    return True
