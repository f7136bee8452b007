"""Measuring the idle path around an experiment, as ping does."""

from __future__ import annotations

import socket
import struct
import time

TIMEOUT_S = 3.0
SO_TIMESTAMPNS = 35  # asm-generic/socket.h


def idle_rtts(
    target: str, count: int, pause_s: float, until_s: float, source: str = ""
) -> list[float]:
    """Round-trip times (s) of echo requests sent one after the other from this host.

    source: its address that they come from, where it has several.
    A request that gets no answer within TIMEOUT_S is left out; none is waited for after until_s.
    """
    rtts = []
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
        if source:
            raw.bind((source, 0))
        raw.connect((target, 0))
        for number in range(count):
            request = _echo_request(number)
            sent_s = time.monotonic()
            if sent_s >= until_s:
                break
            raw.settimeout(min(TIMEOUT_S, until_s - sent_s))
            raw.send(request)
            try:
                raw.recv(128)
            except TimeoutError:
                continue
            rtts.append(time.monotonic() - sent_s)
            time.sleep(pause_s)
    return rtts


def overlapping_rtts(target: str, count: int, pause_s: float, source: str = "") -> list[float]:
    """As `idle_rtts`, but one request every `pause_s`, whatever has come back.

    The kernel's time of arrival counts, so that this process may be slow to wake.
    """
    sent_s: dict[int, float] = {}
    rtts: dict[int, float] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as raw:
        raw.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        if source:
            raw.bind((source, 0))
        raw.connect((target, 0))
        begin_s = time.monotonic()
        for number in range(count):
            request = _echo_request(number)
            sent_s[number] = time.time()
            raw.send(request)
            _receive(raw, begin_s + (number + 1) * pause_s, sent_s, rtts)
            time.sleep(max(0.0, begin_s + (number + 1) * pause_s - time.monotonic()))
        _receive(raw, time.monotonic() + TIMEOUT_S, sent_s, rtts)
    return [rtts[number] for number in sorted(rtts)]


def _receive(
    raw: socket.socket, until_s: float, sent_s: dict[int, float], rtts: dict[int, float]
) -> None:
    """Take answers until then, or until all are in."""
    while (left_s := until_s - time.monotonic()) > 0:
        if len(rtts) == len(sent_s):
            return
        raw.settimeout(left_s)
        try:
            packet, [(_, _, stamp)], _, _ = raw.recvmsg(128, 64)
        except TimeoutError:
            return
        seconds, nanoseconds = struct.unpack("qq", stamp)
        (number,) = struct.unpack_from("!H", packet, (packet[0] & 15) * 4 + 6)
        rtts[number] = seconds + nanoseconds / 1e9 - sent_s[number]


def _echo_request(number: int) -> bytes:
    packet = struct.pack("!BBHHH", 8, 0, 0, 1, number)
    checksum = ~sum(struct.unpack("!4H", packet)) & 0xFFFF
    return struct.pack("!BBHHH", 8, 0, checksum, 1, number)
