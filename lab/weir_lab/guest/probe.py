"""Measuring the idle path before an experiment starts, as ping does."""

from __future__ import annotations

import socket
import struct
import time

TIMEOUT_S = 3.0


def idle_rtts(target: str, count: int, pause_s: float) -> list[float]:
    """Round-trip times (s) of echo requests sent one after the other from this host.

    A request that gets no answer within TIMEOUT_S is left out.
    """
    rtts = []
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
        raw.settimeout(TIMEOUT_S)
        raw.connect((target, 0))
        for number in range(count):
            packet = struct.pack("!BBHHH", 8, 0, 0, 1, number)
            checksum = ~sum(struct.unpack("!4H", packet)) & 0xFFFF
            sent_s = time.monotonic()
            raw.send(struct.pack("!BBHHH", 8, 0, checksum, 1, number))
            try:
                raw.recv(128)
            except TimeoutError:
                continue
            rtts.append(time.monotonic() - sent_s)
            time.sleep(pause_s)
    return rtts
