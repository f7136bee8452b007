"""The API behind a real HTTP server, and reading its streams of events."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
from sqlalchemy.orm import Session, sessionmaker
from weir_orchestrator.api.app import make_app
from weir_orchestrator.api.events.feed import Feed, Limits
from weir_orchestrator.api.server import server_of
from weir_orchestrator.events import emit

from weir_testing.patience import PATIENCE_S, until
from weir_testing.platform import Platform


@dataclass(frozen=True)
class Told:
    """One server-sent event."""

    id: int
    kind: str
    content: dict[str, Any]


@contextmanager
def served(platform: Platform, limits: Limits | None = None) -> Iterator[str]:
    """The platform's API under uvicorn, in a thread; its address. limits: of its watchers."""
    app = make_app(platform.settings)
    app.state.feed = Feed(app.state.reading, limits)
    listening = socket.create_server(("127.0.0.1", 0))
    server = server_of(app)
    server.config.timeout_graceful_shutdown = 1
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/api/v1"
    finally:
        server.should_exit = True
        thread.join()
        app.state.engine.dispose()


@contextmanager
def watch(
    url: str, role: str = "read", **headers: str
) -> Iterator[tuple[httpx2.Response, Iterator[Told]]]:
    """A stream as the token of that role sees it: the answer, and events until it ends."""
    sent = {"Authorization": f"Bearer token-of-{role}", **headers}
    with httpx2.stream("GET", url, headers=sent, timeout=PATIENCE_S) as response:
        yield response, _parsed(response)


def _parsed(response: httpx2.Response) -> Iterator[Told]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if not line and fields:
            yield Told(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
        elif name:
            fields[name] = value


def tell(
    sessions: sessionmaker[Session], platform: Platform, campaign: Any, *numbers: int, size: int = 0
) -> None:
    """One transaction with a run.ended event per number."""
    with sessions.begin() as session:
        for number in numbers:
            data = {"run_id": number, "reason": "x" * size}
            emit(session, platform.team_id, campaign, "run.ended", data)
            session.flush()
