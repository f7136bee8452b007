"""The devices that queues stand on, as the lab names them.

`WAN` leads from a path's gateway to the server, `home(path)` (a bridge of the home network's ports)
to the clients; `edge(path)` is the device of a server or a client on that path. Paths are numbered
from 0; each has a gateway of its own.
"""

from __future__ import annotations

WAN = "wan"
FIRST_UPSTREAM = 5
"""Bottlenecks with this digit and higher ones are upstream of those of the paths from 0 on."""


def home(path: int) -> str:
    """The lab kernel's recorder tells paths apart by its digit."""
    return f"neck{path}"


def upstream(path: int) -> str:
    """The device of `upstream_host` towards the path's gateway; it has a queue as `home` has."""
    return f"neck{FIRST_UPSTREAM + path}"


def upstream_host(path: int) -> str:
    """The router between server and gateway, where there is a second bottleneck."""
    return f"upstream{path + 1}" if path else "upstream"


def edge(path: int) -> str:
    """Of a server's or a client's host."""
    return f"eth{path}"


def port(number: int) -> str:
    """The gateway's port to host `number` at home, from 1: clients first, then other traffic."""
    return f"home{number}"


def host(path: int) -> str:
    """The path's gateway."""
    return f"gateway{path + 1}" if path else "gateway"
