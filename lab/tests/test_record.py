"""Reading the recorder's file, from bytes made by hand (struct weir_record in recorder.h)."""

from __future__ import annotations

import os
import socket
import struct
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir_lab import left, record, record_file

EPOCH_S = 10.0
CLIENT_1, CLIENT_2 = "10.0.2.11", "10.0.2.12"


def head(t_s: float, kind: int, state: int, address: str, port: int) -> bytes:
    number = struct.unpack("!I", socket.inet_aton(address))[0]
    return struct.pack("<QBB", round(t_s * 1e9), kind, state) + struct.pack("!HI", port, number)


def flow(address: str, port: int, name: str = "cubic") -> bytes:
    body = struct.pack("<16sII8x", name.encode(), 1448, 20)
    return head(10.0, record_file.FLOW, 0, address, port) + body


def ack(t_s: float, address: str, port: int, cwnd: int) -> bytes:
    body = struct.pack("<8I", cwnd, 20, 7, 100_000, 300_000, 65_535, 1, 2)
    return head(t_s, record_file.ACK, 0, address, port) + body


def packet(
    arrival_s: float, left_s: float, fate: int, port: int, backlog: int = 0, reason: int = 0
) -> bytes:
    body = struct.pack(
        "<QIIHHHBB8x", round(arrival_s * 1e9), 5000, backlog, 1514, 1448, reason, 0, 0x10
    )
    return head(left_s, record_file.PACKET, fate, CLIENT_1, port) + body


def read(tmp_path: Path, *records: bytes) -> record.Record:
    path = tmp_path / "record.bin"
    path.write_bytes(b"".join(records))
    return record.read([(path, EPOCH_S)])


def test_flows_are_numbered_as_they_appear(tmp_path: Path) -> None:
    seen = read(tmp_path, flow(CLIENT_2, 50000, "bbr"), flow(CLIENT_1, 40000))
    assert seen.flows[0] == {
        "flow": 0,
        "client": 2,
        "local_port": 80,
        "remote_port": 50000,
        "remote_address": CLIENT_2,
        "congestion_control": "bbr",
        "mss_bytes": 1448,
    }
    assert (seen.flows[1]["flow"], seen.flows[1]["client"]) == (1, 1)


def test_acks_belong_to_their_flow_and_count_from_the_start(tmp_path: Path) -> None:
    seen = read(
        tmp_path,
        flow(CLIENT_2, 40000),
        flow(CLIENT_1, 40000),
        ack(10.5, CLIENT_1, 40000, 11),
        ack(9.75, CLIENT_2, 40000, 12),
        ack(11.0, CLIENT_1, 40001, 13),
    )
    assert seen.tcp["flow"].tolist() == [1, 0, -1]
    assert seen.tcp["t_ns"].tolist() == [500_000_000, -250_000_000, 1_000_000_000]
    assert seen.tcp["cwnd"].tolist() == [11, 12, 13]
    assert seen.tcp["srtt_us"].tolist() == [100_000] * 3
    assert seen.tcp["rwnd"].tolist() == [65_535] * 3


def test_what_comes_while_it_is_read_is_left_for_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.bin"
    path.write_bytes(flow(CLIENT_1, 40000) + ack(10.5, CLIENT_1, 40000, 11))
    opened, looks = left.reading, count()

    def goes_on(*args: Any) -> Any:
        if next(looks):  # the first is for its size
            with path.open("ab") as file:
                file.write(flow(CLIENT_2, 40000) + ack(11.0, CLIENT_2, 40000, 12))
        return opened(*args)

    monkeypatch.setattr(left, "reading", goes_on)
    seen = record.read([(path, EPOCH_S)], unfinished=True)
    assert [each["client"] for each in seen.flows] == [1]
    assert seen.tcp["flow"].tolist() == [0]
    assert next(looks) > 1


def test_packets_come_in_order_of_arrival_with_their_fates(tmp_path: Path) -> None:
    seen = read(
        tmp_path,
        flow(CLIENT_1, 40000),
        packet(10.003, 10.003, record.DROPPED, 40000, backlog=2, reason=6),
        packet(10.001, 10.004, record.SENT, 40000),
        packet(10.002, 12.0, record.QUEUED, 9, backlog=1),
    )
    queue = seen.queue
    assert queue["arrival_ns"].tolist() == [1_000_000, 2_000_000, 3_000_000]
    assert queue["departure_ns"].tolist() == [4_000_000, -1, 3_000_000]
    assert queue["fate"].tolist() == [record.SENT, record.QUEUED, record.DROPPED]
    assert queue["reason"].tolist() == [0, 0, 6]
    assert queue["flow"].tolist() == [0, -1, 0]
    assert queue["size"].tolist() == [1514] * 3
    assert queue["payload"].tolist() == [1448] * 3


def test_packets_that_come_at_once_are_in_order_of_the_queue(tmp_path: Path) -> None:
    """Drops are written as they happen, before what had come before them leaves."""
    draw = np.random.default_rng(7)
    arrival_ms = np.sort(draw.integers(0, 40, 400))
    backlog = draw.integers(0, 30, 400)
    written = [
        packet(10 + came / 1e3, 10 + came / 1e3 + late, record.SENT, 1, int(found))
        for came, found, late in zip(arrival_ms, backlog, draw.integers(0, 2, 400), strict=True)
    ]
    queue = read(tmp_path, *written).queue
    assert len(set(arrival_ms)) == 40
    in_order = sorted(zip(arrival_ms * 10**6, backlog, strict=True))
    assert [*zip(queue["arrival_ns"], queue["backlog"], strict=True)] == in_order


def test_a_file_that_is_cut_as_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.bin"
    path.write_bytes(flow(CLIENT_1, 1) + ack(10.5, CLIENT_1, 1, 11))
    opened, looks = left.reading, count()

    def cut(*args: Any) -> Any:
        if next(looks):
            os.truncate(path, 50)
        return opened(*args)

    monkeypatch.setattr(left, "reading", cut)
    with pytest.raises(ValueError, match=r"record\.bin: was cut short"):
        record.read([(path, EPOCH_S)])


def retransmit(t_s: float, port: int, seq: int, length: int) -> bytes:
    body = struct.pack("<II24x", seq, length)
    return head(t_s, record_file.RETRANSMIT, 0, CLIENT_1, port) + body


def test_retransmits_have_a_row_per_segment(tmp_path: Path) -> None:
    seen = read(
        tmp_path,
        flow(CLIENT_1, 40000),
        retransmit(11.0, 40000, 77, 1448),
        retransmit(11.5, 40000, 2**32 - 1448, 2 * 1448 + 1),
        retransmit(12.0, 40001, 5, 2000),
    )
    assert {name: column.tolist() for name, column in seen.retransmits.items()} == {
        "t_ns": [10**9] + [15 * 10**8] * 3 + [2 * 10**9],
        "flow": [0, 0, 0, 0, -1],
        "seq": [77, 2**32 - 1448, 0, 1448, 5],
    }


def test_nothing_recorded_is_empty_columns(tmp_path: Path) -> None:
    seen = read(tmp_path)
    assert seen.flows == []
    assert all(len(column) == 0 for column in (seen.tcp | seen.queue | seen.retransmits).values())


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"record\.bin: 47 bytes"):
        read(tmp_path, flow(CLIENT_1, 1)[:-1])


def test_between_keeps_the_experiments_time(tmp_path: Path) -> None:
    seen = read(
        tmp_path, *(ack(t_s, CLIENT_1, 1, round(t_s)) for t_s in (9.9, 10.0, 10.9, 11.0, 12.0))
    )
    kept = record.between(seen.tcp, "t_ns", 1_000_000_000)
    assert kept["t_ns"].tolist() == [0, 900_000_000]


def test_bins_of_10_ms(tmp_path: Path) -> None:
    seen = read(
        tmp_path,
        packet(10.000, 10.005, record.SENT, 1, backlog=3),
        packet(10.009, 10.012, record.SENT, 1, backlog=7),
        packet(10.011, 10.011, record.DROPPED, 1, backlog=5),
        packet(10.019, 10.5, record.SENT, 1),
    )
    bins = record.per_10ms(seen.queue, 0.02)
    assert bins["t_ns"].tolist() == [0, 10_000_000]
    assert bins["sent_bytes"].tolist() == [1514, 1514]
    assert bins["sent_packets"].tolist() == [1, 1]
    assert bins["dropped"].tolist() == [0, 1]
    assert bins["backlog_max"].tolist() == [7, 5]
    assert bins["sent_bytes"].dtype == np.uint32
