"""The HTTP connection against a real nginx and against rude servers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest
from weir_client.http import HEADER_BYTES, Broken, Connection

Nginx = Callable[..., int]


def rude(answers: list[bytes]) -> int:
    """A server that sends one answer per connection after a request, and closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener:
            for answer in answers:
                peer, _ = listener.accept()
                with peer:
                    peer.recv(4096)
                    peer.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    port: int = listener.getsockname()[1]
    return port


def test_ranges_on_one_connection(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([5 << 20, 1000]))
    sizes = [(0, 0, 999), (0, 1000, (3 << 20) + 999), (1, 990, 999), (0, 0, 16383)]
    replies = [connection.get(b"/level-%d" % level, a, b) for level, a, b in sizes]
    assert [reply.status for reply in replies] == [206] * 4
    assert [reply.received_bytes for reply in replies] == [1000, 3 << 20, 10, 16384]
    assert len({reply.port for reply in replies}) == 1
    for reply in replies:
        assert reply.request_s < reply.first_byte_s <= reply.last_byte_s
    connection.close()


def test_reports_refusals_and_goes_on(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([1000]))
    assert connection.get(b"/level-7", 0, 9).status == 404
    assert connection.get(b"/level-0", 5000, 5009).status == 416
    assert connection.get(b"/level-0", 0, 9).received_bytes == 10
    connection.close()


def test_opens_anew_when_the_server_has_closed(nginx: Nginx) -> None:
    connection = Connection("127.0.0.1", nginx([1000], keepalive=2))
    ports = [connection.get(b"/level-0", 0, 9).port for _ in range(4)]
    assert ports[0] == ports[1] != ports[2] == ports[3]
    connection.close()


def test_repeats_on_a_reused_connection_that_closed_silently() -> None:
    good = b"HTTP/1.1 206 Partial Content\r\ncontent-length: 3\r\n\r\nabc"
    connection = Connection("127.0.0.1", rude([good, good]))
    first, second = connection.get(b"/x", 0, 2), connection.get(b"/x", 0, 2)
    assert (second.status, second.received_bytes) == (206, 3)
    assert first.port != second.port


@pytest.mark.parametrize(
    ("answer", "said", "received"),
    [
        (b"HTTP/1.1 206 P\r\nContent-Length: 10\r\n\r\nabc", "7 bytes missing", 3),
        (b"", "before a response", 0),
        (b"SSH-2.0-x\r\n\r\n", "no HTTP response", 0),
        (b"HTTP/1.1 200 OK\r\n\r\n", "without Content-Length", 0),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * HEADER_BYTES, "longer than", 0),
    ],
)
def test_names_what_broke(answer: bytes, said: str, received: int) -> None:
    connection = Connection("127.0.0.1", rude([answer]))
    with pytest.raises((Broken, ConnectionResetError)) as error:
        connection.get(b"/x", 0, 9)
    assert error.type is ConnectionResetError or said in str(error.value)
    assert connection.reply is not None and connection.reply.received_bytes == received


def test_a_closed_port_is_an_os_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionRefusedError):
            Connection("127.0.0.1", taken.getsockname()[1]).get(b"/x", 0, 9)
