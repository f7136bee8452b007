"""Frames between a lab kernel's wire and the other end of its link, by a relay and real UDP."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from weir_lab.real import l2tpv3, links
from weir_testing.patience import PATIENCE_S

HERE = "127.0.0.1"
SESSION = 0x2A
HEADER = l2tpv3.header(SESSION)
FRAMES = [bytes([size % 251]) * size for size in range(60, l2tpv3.LARGEST_FRAME_BYTES + 1, 9)]


@dataclass
class Link:
    """kernel: a lab kernel's end of its wire. peer: the link's other end."""

    kernel: socket.socket
    peer: socket.socket


@pytest.fixture
def link() -> Iterator[Link]:
    own, other = links.free_ports(HERE, 2)
    with (
        links.relayed([links.LinkEnd(HERE, own, HERE, other, SESSION)]) as (kernel,),
        links.connected(links.LinkEnd(HERE, other, HERE, own, SESSION)) as peer,
    ):
        held = socket.socket(fileno=kernel)
        for one in (held, peer):
            one.settimeout(PATIENCE_S)
        yield Link(held, peer)
        held.detach()


def test_frames_of_every_size_come_out_in_order(link: Link) -> None:
    for frame in FRAMES:
        link.kernel.send(frame)
    assert [link.peer.recv(4096) for _ in FRAMES] == [HEADER + frame for frame in FRAMES]
    for frame in FRAMES:
        link.peer.send(HEADER + frame)
    assert [link.kernel.recv(4096) for _ in FRAMES] == FRAMES


def test_packets_of_another_session_are_dropped(link: Link) -> None:
    for number, frame in enumerate(FRAMES):
        link.peer.send(l2tpv3.header(SESSION + number % 2) + frame)
    assert [link.kernel.recv(4096) for _ in FRAMES[::2]] == FRAMES[::2]


def test_a_packet_without_a_frame_ends_nothing(link: Link) -> None:
    for packet in (b"", HEADER[:3], HEADER, HEADER + FRAMES[0]):
        link.peer.send(packet)
    assert link.kernel.recv(4096) == FRAMES[0]


def test_a_kernel_that_does_not_read_holds_back_and_loses_nothing(link: Link) -> None:
    given = 1000  # more than a wire holds, less than a UDP socket does
    for number in range(given):
        link.peer.send(HEADER + number.to_bytes(2) + bytes(60))
    assert [int.from_bytes(link.kernel.recv(4096)[:2]) for _ in range(given)] == [*range(given)]


def test_it_outlives_a_peer_that_is_not_there(link: Link) -> None:
    (own, port), (other, other_port) = link.peer.getsockname(), link.peer.getpeername()
    end = links.LinkEnd(own, port, other, other_port, SESSION)
    link.peer.close()
    for _ in range(3):  # each later one meets what became of the one before (ICMP)
        link.kernel.send(FRAMES[0])
    with links.connected(end) as peer:
        peer.settimeout(PATIENCE_S)
        peer.send(HEADER + FRAMES[1])
        assert link.kernel.recv(4096) == FRAMES[1]
