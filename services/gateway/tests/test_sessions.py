"""Sessions: seen from packets, and given their shares."""

from __future__ import annotations

import socket
import struct

import pytest
from weir_gateway import sniffer
from weir_gateway.shares import Shares

LADDER_BPS = [248e3, 456e3, 928e3, 1632e3, 4256e3]
ONE, TWO, THREE = ("10.0.2.11", 40000), ("10.0.2.12", 40000), ("10.0.2.11", 40001)


def test_shares_are_the_papers_optimum() -> None:
    shares = Shares(LADDER_BPS, 0.1)
    assert shares.levels(8e6) == {}
    shares.opens(ONE)
    assert shares.levels(8e6) == {ONE: 4}
    shares.opens(TWO)
    assert shares.levels(8e6) == {ONE: 4, TWO: 3}
    shares.opens(THREE)
    assert shares.levels(8e6) == {ONE: 4, TWO: 3, THREE: 3}
    assert shares.closes(ONE)
    assert shares.levels(8e6) == {TWO: 4, THREE: 3}
    assert shares.levels(1e6) == {TWO: 1, THREE: 1}


def test_a_second_syn_changes_nothing_and_a_stranger_closes_nothing() -> None:
    shares = Shares(LADDER_BPS, 0.1)
    shares.opens(ONE)
    shares.opens(ONE)
    assert shares.levels(8e6) == {ONE: 4}
    assert not shares.closes(TWO)
    assert shares.closes(ONE)
    assert not shares.closes(ONE)


def test_the_shaping_rate_has_its_headroom() -> None:
    assert Shares(LADDER_BPS, 0.1).rate_bps(4) == pytest.approx(4681.6e3)
    assert Shares(LADDER_BPS, 0.0).rate_bps(0) == 248e3


def packet(flags: int, source: str = "10.0.2.11", options: int = 0) -> bytes:
    """An IPv4 header with some options, and the first bytes of TCP."""
    length = 20 + options
    ip = struct.pack("!BBHHHBBH", 0x40 | length // 4, 0, length + 20, 0, 0, 64, 6, 0)
    ip += socket.inet_aton(source) + socket.inet_aton("10.0.1.2") + bytes(options)
    return ip + struct.pack("!HHIIBBHHH", 40000, 80, 1, 0, 0x50, flags, 1000, 0, 0)


@pytest.mark.parametrize("options", [0, 8])
@pytest.mark.parametrize(
    ("flags", "opens"),
    [(sniffer.SYN, True), (sniffer.FIN | 16, False), (sniffer.RST, False)],
)
def test_packets_are_read(flags: int, opens: bool, options: int) -> None:
    assert sniffer.read(packet(flags, options=options)) == ("10.0.2.11", 40000, opens)
