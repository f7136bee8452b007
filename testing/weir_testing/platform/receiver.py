"""A receiver of webhooks: a real HTTP server on the loopback that keeps what it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks.webhooks import Webhook


@dataclass
class Receiver:
    """statuses: what is answered, the last one for ever; location: of redirects."""

    port: int = 0
    statuses: list[int] = field(default_factory=lambda: [204])
    location: str = ""
    drip_s: float = 0.0
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def verified(self, secret: str) -> list[dict[str, Any]]:
        """The messages, whose signatures must be good."""
        return [Webhook(secret).verify(body, headers) for headers, body in self.got]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver, over = Receiver(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.got.append((dict(self.headers.items()), body))
            statuses = receiver.statuses
            if receiver.drip_s:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nx: ")
                while not over.wait(receiver.drip_s):
                    self.wfile.write(b"y")
                return
            self.send_response(statuses.pop(0) if len(statuses) > 1 else statuses[0])
            if receiver.location:
                self.send_header("location", receiver.location)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
