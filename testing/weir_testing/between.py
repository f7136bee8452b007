"""A program between a run and one of its agents, which changes or delays what the agent is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
from weir_lab.real.remote import Address

from weir_testing.patience import PATIENCE_S

Meddle = Callable[[str, dict[str, Any]], None]
"""Called with a request's path and its body, which it may change, before the agent has it."""


@contextmanager
def between(agent: Address, meddle: Meddle) -> Iterator[Address]:
    """The address of an agent that stands behind another one's."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._pass_on(b"")

        def do_DELETE(self) -> None:
            self._pass_on(b"")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            meddle(self.path.partition("?")[0], body)
            self._pass_on(json.dumps(body).encode())

        def log_message(self, *said: object) -> None:
            """Nothing."""

        def _pass_on(self, body: bytes) -> None:
            headers = {"Authorization": self.headers["Authorization"]}
            answer = httpx2.request(
                self.command,
                agent.url + self.path,
                content=body,
                headers=headers,
                timeout=PATIENCE_S,
                trust_env=False,
            )
            self.send_response(answer.status_code)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Address(f"http://127.0.0.1:{server.server_port}", agent.token)
        finally:
            server.shutdown()
            thread.join()
