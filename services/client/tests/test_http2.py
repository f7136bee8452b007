"""The HTTP/2 connection against a real nginx and against rude servers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from time import monotonic

import pytest
from weir_client.http import Broken, Reply
from weir_client.http2 import Connection

Nginx = Callable[..., int]


def ends(connection: Connection, count: int) -> list[Reply]:
    """The next replies that end."""
    found: list[Reply] = []
    while len(found) < count:
        found += connection.wait()
    return found


def test_ranges_on_one_connection(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([5 << 20, 1000], http2=True))
    sizes = [(0, 0, 999), (0, 1000, (3 << 20) + 999), (1, 990, 999), (0, 0, 16383)]
    replies = [connection.get(b"/level-%d" % level, a, b) for level, a, b in sizes]
    assert [reply.status for reply in replies] == [206] * 4
    assert [reply.received_bytes for reply in replies] == [1000, 3 << 20, 10, 16384]
    assert len({reply.port for reply in replies}) == 1
    for reply in replies:
        assert reply.request_s < reply.first_byte_s <= reply.last_byte_s
    connection.close()


def test_several_in_flight_share_one_connection(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([5 << 20, 1000], http2=True))
    sizes = [(0, 0, (4 << 20) - 1), (0, 1000, (2 << 20) + 999), (1, 990, 999)]
    replies = [connection.new_reply() for _ in sizes]
    for reply, (level, first, last) in zip(replies, sizes, strict=True):
        connection.ask(b"/level-%d" % level, first, last, reply)
    assert {id(reply) for reply in ends(connection, 3)} == {id(reply) for reply in replies}
    assert [reply.received_bytes for reply in replies] == [4 << 20, 2 << 20, 10]
    assert len({reply.port for reply in replies}) == 1
    assert max(reply.request_s for reply in replies) < min(reply.last_byte_s for reply in replies)
    connection.close()


def test_reports_refusals_and_goes_on(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([1000], http2=True))
    assert connection.get(b"/level-7", 0, 9).status == 404
    assert connection.get(b"/level-0", 5000, 5009).status == 416
    assert connection.get(b"/level-0", 0, 9).received_bytes == 10
    connection.close()


def test_opens_anew_when_the_server_has_closed(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([1000], keepalive=2, http2=True))
    replies = [connection.get(b"/level-0", 0, 9) for _ in range(4)]
    assert [reply.received_bytes for reply in replies] == [10] * 4
    assert len({reply.port for reply in replies}) > 1
    connection.close()


def test_waits_no_longer_than_asked(nginx: Nginx) -> None:
    port = nginx([1000], extra="limit_rate 1;", http2=True)
    connection = Connection("127.0.0.1", port)
    reply = connection.new_reply()
    connection.ask(b"/level-0", 0, 999, reply)
    assert connection.wait(monotonic() + 0.2) == []
    assert reply.last_byte_s != reply.last_byte_s
    connection.close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [(b"\0\0\0\4\0\0\0\0\1", "no HTTP/2"), (b"", "closed the connection")],
)
def test_names_what_broke(answer: bytes, said: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener:
            peer, _ = listener.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    connection = Connection("127.0.0.1", listener.getsockname()[1])
    with pytest.raises((Broken, ConnectionResetError)) as error:
        connection.get(b"/x", 0, 9)
    assert error.type is ConnectionResetError or said in str(error.value)
