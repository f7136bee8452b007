"""An API in a process of its own, raw connections to it, and asking whether it still serves."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

import httpx2
from weir_orchestrator.processes.__main__ import LISTEN_FD
from weir_orchestrator.settings import Settings

PATIENCE_S = 500.0
"""What a test waits for an answer, so that it does not depend on how fast the machine is."""


@dataclass
class Attacked:
    """pid: of the API's process."""

    port: int
    pid: int
    _stack: ExitStack = field(repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v1"

    @contextmanager
    def visited(self) -> Iterator[Attacked]:
        """The same, whose connections are closed when the block ends."""
        with ExitStack() as stack:
            yield replace(self, _stack=stack)

    def connection(self) -> socket.socket:
        """A raw one, closed when the test ends."""
        return self._stack.enter_context(
            socket.create_connection(("127.0.0.1", self.port), PATIENCE_S)
        )

    def get(self, path: str, role: str = "") -> httpx2.Response:
        headers = {"Authorization": f"Bearer token-of-{role}"} if role else {}
        return httpx2.get(self.url + path, headers=headers, timeout=PATIENCE_S)

    def serves(self) -> None:
        """Fails where health or a member is not answered."""
        assert self.get("/health/live").status_code == 200
        assert self.get("/health/ready").status_code == 200
        assert self.get("/me", "read").status_code == 200


@contextmanager
def attacked(settings: Settings, files: int | None = None) -> Iterator[Attacked]:
    """The API on the settings' database and store; files: descriptors that it may have."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048))
        environment = {
            **os.environ,
            LISTEN_FD: str(listening.fileno()),
            "WEIR_AUTH": settings.auth,
            "WEIR_DATA": str(settings.data),
            "WEIR_DATABASE": settings.database_url,
            "WEIR_STORE": settings.store_url,
        }
        words = [sys.executable, "-m", "weir_orchestrator.processes", "api"]
        process = subprocess.Popen(words, env=environment, pass_fds=(listening.fileno(),))
        stack.callback(process.wait)
        stack.callback(process.kill)
        if files is not None:
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (files, files))
        server = Attacked(listening.getsockname()[1], process.pid, stack)
        # The socket listens already: whoever connects waits for the API.
        server.serves()
        yield server


def until_closed(connection: socket.socket) -> bytes:
    """All that the server says before it ends the connection."""
    said = b""
    try:
        while part := connection.recv(65536):
            said += part
    except ConnectionResetError:
        pass
    return said
