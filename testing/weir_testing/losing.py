"""A link of a cell of agents apart that loses the packets which it is told to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from weir.records import Check
from weir_lab.collect import CellResult
from weir_lab.real.part import agent_of
from weir_lab.real.remote import Address

from weir_testing.between import Meddle, between
from weir_testing.cells import broken

LARGEST_BYTES = 2048
IDLE = "idle_rtt"


@contextmanager
def losing(
    cell: Mapping[str, Address], host: str, peer: str, lost: Collection[int]
) -> Iterator[dict[str, Address]]:
    """The cell's agents, with the packets of these numbers, from 1, lost from host to peer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as middle:
        middle.bind(("127.0.0.1", 0))
        ends: dict[str, tuple[str, int]] = {}
        numbers = count(1)

        def lead_through(own: str, other: str) -> Meddle:
            """Have the other end be `middle`, which is told of it."""
            at = 0

            def meddle(path: str, body: dict[str, Any]) -> None:
                nonlocal at, numbers
                if path == "/run":
                    joined = [(link["host"], link["peer"]) for link in body["part"]["links"]]
                    at, numbers = joined.index((own, other)), count(1)
                elif path == "/run/boot":
                    end = body["links"][at]
                    ends[other] = (end["address"], end["port"])
                    end["port"] = middle.getsockname()[1]

            return meddle

        def carry() -> None:
            while True:
                packet, sender = middle.recvfrom(LARGEST_BYTES)
                if not packet:
                    return
                if sender == ends.get(peer):
                    middle.sendto(packet, ends[host])
                elif next(numbers) not in lost:
                    middle.sendto(packet, ends[peer])

        carrying = threading.Thread(target=carry)
        carrying.start()
        try:
            with (
                between(cell[agent_of(host)], lead_through(host, peer)) as one,
                between(cell[agent_of(peer)], lead_through(peer, host)) as other,
            ):
                yield {**cell, agent_of(host): one, agent_of(peer): other}
        finally:
            middle.sendto(b"", middle.getsockname())
            carrying.join()


def lost_packets(result: CellResult) -> Check:
    """The check of links, which is broken, and no other but idle round trips' is: on a busy machine
    a lost packet may be a probe's."""
    (check,) = (each for each in broken(result) if not each["name"].startswith(IDLE))
    assert check["name"] == "link_lost_packets"
    return check
