"""Errors, and requests that are sent again, against a real HTTP server that misbehaves."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Any

import anyio
import pytest
from weir_sdk import AsyncClient, Client, WatchEnded, errors

SLASH = "/api/v1"
ID = "0b9f3a52-8f6e-4a6e-9d3e-2f1f4c1b7a10"
ME = {"id": ID, "email": "a@b.c", "name": "a", "is_admin": False, "token": None, "teams": []}
DROP = None
"""Instead of an answer: the connection is closed."""

Answer = tuple[int, dict[str, str], bytes] | None


class Server:
    """Gives its answers one after the other; asked: method, path, headers of each request."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def _any(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                server.asked.append((self.command, self.path, dict(self.headers)))
                answer = server.answers.pop(0)
                if answer is DROP:
                    return
                status, headers, body = answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_DELETE = _any

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def ok(content: Any) -> Answer:
    return 200, {"content-type": "application/json"}, json.dumps(content).encode()


def problem(kind: str, status: int, **headers: str) -> Answer:
    content = {"type": f"/problems/{kind}", "title": "No", "status": status, "detail": "so", **P}
    return status, {"content-type": "application/problem+json", **headers}, dumped(content)


P = {"problems": [{"path": "a.b", "value": "8", "allowed": "a rate", "remedy": "give a unit"}]}


def dumped(content: Any) -> bytes:
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("kind", "status", "error"),
    [
        ("not-signed-in", 401, errors.NotSignedIn),
        ("not-allowed", 403, errors.NotAllowed),
        ("not-found", 404, errors.NotFound),
        ("conflict", 409, errors.Conflict),
        ("too-large", 413, errors.TooLarge),
        ("unprocessable", 422, errors.Unprocessable),
        ("quota-exceeded", 429, errors.QuotaExceeded),
    ],
)
def test_errors_are_typed_and_told_once(
    server: Server, kind: str, status: int, error: type[errors.ApiError]
) -> None:
    server.answers = [problem(kind, status)]
    with Client(server.url) as client, pytest.raises(error) as raised:
        client.show_me()
    assert type(raised.value) is error
    assert str(raised.value) == "No: so\na.b: 8 — allowed: a rate\n    give a unit"


def test_reading_is_tried_again(server: Server) -> None:
    busy = problem("too-many-requests", 429, **{"Retry-After": "0"})
    down = problem("unavailable", 503, **{"Retry-After": "0"})
    server.answers = [busy, down, DROP, ok(ME)]
    with Client(server.url, "weir_x") as client:
        assert client.show_me().email == "a@b.c"
    assert {headers["Authorization"] for _, _, headers in server.asked} == {"Bearer weir_x"}


def test_tries_are_bounded(server: Server) -> None:
    server.answers = [problem("unavailable", 503, **{"Retry-After": "0"})] * 3
    with Client(server.url, tries=3) as client, pytest.raises(errors.Unavailable):
        client.show_me()
    assert len(server.asked) == 3


@pytest.mark.parametrize("answer", [DROP, problem("unavailable", 503)])
def test_what_may_have_been_done_is_not_done_twice(server: Server, answer: Answer) -> None:
    server.answers = [answer, ok({"queued": 3})]
    with Client(server.url) as client, pytest.raises(errors.ClientError):
        client.rerun_campaign(ID)
    assert len(server.asked) == 1


def test_a_submission_is_tried_again_under_one_key(server: Server) -> None:
    server.answers = [DROP, problem("not-found", 404)]
    with Client(server.url) as client, pytest.raises(errors.NotFound):
        client.submit_campaign("local", {"document": "name: x"})
    first, second = (headers["Idempotency-Key"] for _, _, headers in server.asked)
    assert first == second


def test_a_token_does_not_follow_to_another_server(server: Server) -> None:
    other = Server()
    try:
        elsewhere = other.url.replace("127.0.0.1", "localhost")
        server.answers = [(307, {"location": f"{elsewhere}/file"}, b"")]
        other.answers = [(200, {}, b"content")]
        with Client(server.url, "weir_x") as client:
            assert client.fetch_artifact(7, "players/client-1.parquet") == b"content"
        assert "authorization" not in {name.lower() for name in other.asked[0][2]}
        assert server.asked[0][1] == f"{SLASH}/runs/7/artifacts/players/client-1.parquet"
    finally:
        other.close()


def test_all_pages_are_read(server: Server) -> None:
    event = {"at": "2026-01-01T00:00:00Z", "kind": "run.started", "campaign": ID, "data": {}}
    pages = [([1, 2], "c 1"), ([3], None)]
    server.answers = [
        ok({"items": [{"id": i, **event} for i in items], "next": following})
        for items, following in pages
    ]
    with Client(server.url) as client:
        assert [each.id for each in client.list_campaign_history(ID, limit=2)] == [1, 2, 3]
    assert (
        server.asked[1][1].endswith("?limit=2&cursor=c+1") or "cursor=c%201" in server.asked[1][1]
    )


def stream(*events: tuple[int, str, Any]) -> Answer:
    text = "".join(f"id: {i}\nevent: {kind}\ndata: {json.dumps(d)}\n\n" for i, kind, d in events)
    return 200, {"content-type": "text/event-stream"}, text.encode()


def ended(number: int) -> tuple[int, str, Any]:
    content = {"id": number, "at": "2026-01-01T00:00:00Z", "kind": "run.ended", "campaign": ID}
    return number, "run.ended", {**content, "data": {"run_id": number}}


BROKEN: tuple[Answer, ...] = (
    stream((4, "open", {}), ended(5)),
    DROP,
    problem("unavailable", 503),
    stream((5, "open", {}), ended(6), (6, "closed", {"reason": "no longer of the team"})),
)


def test_a_watch_goes_on_after_the_last_event(server: Server) -> None:
    server.answers = list(BROKEN)
    with Client(server.url) as client:
        watching = client.watch_campaign(ID, kinds=["run.ended"])
        told = [(each.kind, each.id) for each in islice(watching, 4)]
        with pytest.raises(WatchEnded, match="no longer of the team"):
            next(watching)
    assert told == [("open", 4), ("run.ended", 5), ("open", 5), ("run.ended", 6)]
    after = [headers.get("Last-Event-ID") for _, _, headers in server.asked]
    assert after == [None, "5", "5", "5"]


def test_so_does_one_on_an_event_loop(server: Server) -> None:
    server.answers = list(BROKEN)
    told = []

    async def watch() -> None:
        async with AsyncClient(server.url) as client:
            with pytest.raises(WatchEnded):
                async for event in client.watch_campaign(ID):
                    told.append(event.id)

    anyio.run(watch)
    assert told == [4, 5, 5, 6]


def test_what_is_no_weir_is_told(server: Server) -> None:
    server.answers = [(200, {}, b"<html>"), (404, {}, b"<html>")]
    with Client(server.url) as client:
        for _ in range(2):
            with pytest.raises(errors.BadAnswer):
                client.show_me()


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("http://a:80/", True),
        ("https://a/weir/api/v1", True),
        ("a:8080", False),
        ("ftp://a", False),
        ("http://user:word@a", False),
        ("http://", False),
    ],
)
def test_addresses(url: str, good: bool) -> None:
    make: Callable[[], Client] = lambda: Client(url)  # noqa: E731
    if good:
        make().close()
    else:
        with pytest.raises(ValueError, match="allowed"):
            make()
