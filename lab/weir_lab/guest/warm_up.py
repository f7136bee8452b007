"""Connections before the experiment's: what the server's kernel keeps of them is inherited."""

from __future__ import annotations

import socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_lab.guest.hosts import Hosts
    from weir_lab.guest.plan import WarmUp

PORT = 9  # not the HTTP server's: what is kept is kept by address, and only port 80 is recorded


def connect(hosts: Hosts, warm_ups: list[WarmUp]) -> None:
    """Open and close a connection each: Linux keeps its metrics when the server's end closes."""
    for asked in warm_ups:
        with (
            _socket_in(hosts, asked["server"]) as listener,
            _socket_in(hosts, asked["host"]) as near,
        ):
            listener.bind((asked["address"], PORT))
            listener.listen()
            near.connect((asked["address"], PORT))
            far, _ = listener.accept()
            near.shutdown(socket.SHUT_WR)
            with far:
                far.recv(1)
            near.recv(1)


def _socket_in(hosts: Hosts, host: str) -> socket.socket:
    """It stays in this host, wherever the process goes."""
    hosts.enter(host)
    made = socket.socket()
    hosts.leave()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made
