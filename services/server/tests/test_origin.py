"""The live origin on a socket of the test's."""

from __future__ import annotations

import _socket
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from weir_server import mpd, origin
from weir_testing.cells import client, experiment
from weir_testing.live_film import content
from weir_testing.patience import until

SEGMENT_S = 2.0  # as BASE's


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, float]]:
    """Where an origin serves, and when its film began: 30 s ago, by the monotonic clock."""
    path, began_s = str(tmp_path / "origin"), time.monotonic() - 30.0
    listener = _socket.socket(_socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    dashjs = client("dashjs", options={"version": "5.2.1", "settings": {}})
    film = mpd.film(experiment({"content": content()}, dashjs))
    assert film is not None
    served = threading.Thread(target=origin.serve, args=(listener, film, began_s), daemon=True)
    served.start()
    yield path, began_s


def asked(address: str, path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode("latin-1"))
    return connection


def answered(connection: socket.socket) -> tuple[bytes, bytes]:
    """Header and body."""
    said = b""
    with connection:
        while part := connection.recv(65536):
            said += part
    header, _, body = said.partition(b"\r\n\r\n")
    return header, body


def test_a_segment_that_is_made_comes_at_once_and_says_its_length(
    address: tuple[str, float],
) -> None:
    header, body = answered(asked(address[0], "/dash/1/5.m4s"))
    assert header.startswith(b"HTTP/1.0 200") and len(body) == 456e3 * 2 / 8
    assert f"Content-Length: {len(body)}".encode() in header
    assert body.count(b"moof") == 4


def test_one_that_is_being_made_comes_chunk_by_chunk(address: tuple[str, float]) -> None:
    path, began_s = address

    def comes_while_it_is_made() -> bool:
        """Whether it does; not where its first chunk is not there yet, or where all are."""
        number = int((time.monotonic() - began_s) / SEGMENT_S)
        header, body = answered(asked(path, f"/dash/4/{number}.m4s"))
        if b"Content-Length" in header:
            return False
        assert len(body) == 4256e3 * SEGMENT_S / 8
        assert time.monotonic() - began_s >= (number + 1) * SEGMENT_S
        return True

    until(comes_while_it_is_made, "a segment that is being made")


def test_what_is_not_there_is_not_found(address: tuple[str, float]) -> None:
    for path in ("/dash/0/99.m4s", "/dash/9/1.m4s", "/dash/0/init.mp4", "/", "/\xff"):
        header, body = answered(asked(address[0], path))
        assert header.startswith(b"HTTP/1.0 404") and body == b""


def test_who_goes_away_holds_nobody_up(address: tuple[str, float]) -> None:
    asked(address[0], "/dash/4/5.m4s").close()
    header, _ = answered(asked(address[0], "/dash/0/5.m4s"))
    assert header.startswith(b"HTTP/1.0 200")
