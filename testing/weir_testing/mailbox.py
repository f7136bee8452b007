"""A mail server that keeps what it is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer

__all__ = ["Mailbox", "receiving_mail"]


@dataclass
class Mailbox:
    """refusing: answers all recipients with 450. got: messages, and to whom."""

    port: int = 0
    refusing: bool = False
    got: list[tuple[EmailMessage, list[str]]] = field(default_factory=list)


@contextmanager
def receiving_mail() -> Iterator[Mailbox]:
    """At a port of its own on this machine, in plain SMTP (RFC 5321)."""
    mailbox = Mailbox()

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 here")
            to: list[str] = []
            while line := self.rfile.readline().decode().strip():
                word = line.upper()
                if word.startswith("RCPT"):
                    to.append(line.partition("<")[2].partition(">")[0])
                    self._say("450 not now" if mailbox.refusing else "250 yes")
                elif word == "DATA":
                    self._say("354 go on")
                    message = message_from_bytes(self._data(), policy=policy.default)
                    assert isinstance(message, EmailMessage)
                    mailbox.got.append((message, to))
                    self._say("250 kept")
                elif word == "QUIT":
                    self._say("221 bye")
                    return
                else:
                    self._say("250 yes")

        def _data(self) -> bytes:
            lines = iter(self.rfile.readline, b".\r\n")
            return b"".join(line.removeprefix(b".") for line in lines)

        def _say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        mailbox.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield mailbox
        finally:
            server.shutdown()
            thread.join()
