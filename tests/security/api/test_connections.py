"""Clients that are slow, endless or many hold nothing that others need."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator

import pytest
from weir_orchestrator.api.events.feed import Limits
from weir_orchestrator.settings import Settings
from weir_testing.patience import until
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.attacked import Attacked, attacked, until_closed
from weir_testing.platform.fixtures import SERVED, places

SLOW = 100
"""More than places, threads and connections of the database together."""


@pytest.fixture(scope="module", params=SERVED)
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Attacked]:
    """One API for the file."""
    data = tmp_path_factory.mktemp("attacked")
    with (
        places(request, request.param, data) as named,
        attacked(Settings(auth="login", **named)) as running,
    ):
        yield running


@pytest.fixture
def api(running: Attacked) -> Iterator[Attacked]:
    """It, with no connection of a test before."""
    with running.visited() as api:
        yield api


def post(path: str, length: int | str, role: str = "") -> bytes:
    shown = f"Authorization: Bearer token-of-{role}\r\n" if role else ""
    size = "Transfer-Encoding: chunked" if length == "chunked" else f"Content-Length: {length}"
    kind = "Content-Type: application/json"
    return f"POST /api/v1{path} HTTP/1.1\r\nHost: a\r\n{kind}\r\n{shown}{size}\r\n\r\n".encode()


def test_slow_bodies_hold_nothing(api: Attacked) -> None:
    slow = []
    for role in ("", "submit", "submit"):
        for length in (1000, "chunked"):
            for _ in range(SLOW // 4):
                connection = api.connection()
                started = b"{" if length != "chunked" else b"1\r\n{\r\n"
                connection.sendall(post(f"/teams/{TEAM}/campaigns", length, role) + started)
                slow.append(connection)
    api.serves()
    for connection in slow:
        assert until_closed(connection).startswith(b"HTTP/1.1 408 ")
    api.serves()


def test_large_bodies_are_taken_from_members_only(api: Attacked) -> None:
    connection = api.connection()
    connection.sendall(post(f"/teams/{TEAM}/campaigns", 4 << 20) + b" " * 1000)
    assert until_closed(connection).startswith(b"HTTP/1.1 401 ")
    chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
    connection = api.connection()
    with contextlib.suppress(ConnectionError):
        connection.sendall(post("/session", "chunked") + chunk * 3)
    assert until_closed(connection).startswith(b"HTTP/1.1 401 ")


def test_large_slow_bodies_of_one_member_leave_others_room(api: Attacked) -> None:
    for _ in range(SLOW):
        connection = api.connection()
        connection.sendall(post(f"/teams/{TEAM}/campaigns", 4 << 20, "submit") + b" " * 1000)
    api.serves()
    another = api.connection()
    another.sendall(post(f"/teams/{TEAM}/campaigns/validate", 1 << 20, "admin") + b" " * (1 << 20))
    assert another.recv(1000).startswith(b"HTTP/1.1 422 ")


def test_half_heads_end(api: Attacked) -> None:
    half = []
    for begun in (b"", b"GET /", b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\nX-A: "):
        for _ in range(SLOW):
            connection = api.connection()
            connection.sendall(begun)
            half.append(connection)
    api.serves()
    for connection in half:
        assert until_closed(connection) == b""


def test_heads_without_end_are_refused(api: Attacked) -> None:
    for begun in (b"GET /?", b"GET / HTTP/1.1\r\nX-A: ", b"GET / HTTP/1.1\r\n"):
        connection = api.connection()
        part = b"a: b\r\n" * 2000 if begun.endswith(b"\n") else b"a" * 12_000
        said = b""
        with contextlib.suppress(ConnectionError):
            connection.sendall(begun)
            for _ in range(1000):
                connection.sendall(part)
        with contextlib.suppress(ConnectionError):
            said = until_closed(connection)
        assert said[:12] in {b"", b"HTTP/1.1 431"}
    api.serves()


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_more_connections_than_descriptors_leave_others_room(platform: Platform) -> None:
    with attacked(platform.settings, files=400) as api:
        for _ in range(600):
            api.connection()
            if _ % 200 == 0:
                api.serves()
        api.serves()


def test_who_reads_no_answer_holds_nothing(api: Attacked) -> None:
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
    for _ in range(SLOW):
        api.connection().sendall(ask * 100)
    api.serves()


def test_streams_of_one_member_leave_others_room(api: Attacked) -> None:
    def watching(role: str) -> tuple[socket.socket, bytes]:
        shown = f"Authorization: Bearer token-of-{role}\r\n"
        connection = api.connection()
        connection.sendall(
            f"GET /api/v1/teams/{TEAM}/events HTTP/1.1\r\nHost: a\r\n{shown}\r\n".encode()
        )
        said = b""
        while b"\r\n\r\n" not in said or (b" 200 " in said and b"event: open" not in said):
            said += connection.recv(65536)
        return connection, said[:12]

    opened = [watching("read") for _ in range(Limits().streams_each)]
    assert {status for _, status in opened} == {b"HTTP/1.1 200"}
    assert watching("read")[1] == b"HTTP/1.1 429"
    assert watching("admin")[1] == b"HTTP/1.1 200"
    api.serves()
    opened[0][0].close()
    until(lambda: watching("read")[1] == b"HTTP/1.1 200", "room for another stream")


@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_who_goes_before_the_answers_leaves_no_trace(
    platform: Platform, capfd: pytest.CaptureFixture[str]
) -> None:
    ask = b"GET /api/v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer token-of-read\r\n\r\n"
    with attacked(platform.settings) as api:  # which says what it says while capfd listens
        for _ in range(SLOW):
            connection = api.connection()
            connection.sendall(ask * 20)
            connection.recv(1)
            # Without a word: what was sent is lost (tcp(7), SO_LINGER).
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        api.serves()
    assert "Traceback" not in capfd.readouterr().err


def test_bodies_of_requests_already_answered_end(api: Attacked) -> None:
    connection = api.connection()
    head = b"GET /api/v1/health/live HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
    connection.sendall(head)
    said = until_closed(connection)
    assert said.startswith(b"HTTP/1.1 200 ")
