"""Reading what the recorder has summed up, from bytes made by hand (recorder.h)."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

from weir_lab import record, record_file, seconds, tally

EPOCH_S = 10.0
CLIENT = "10.0.2.11"


def head(t_s: float, kind: int, state: int, port: int) -> bytes:
    number = struct.unpack("!I", socket.inet_aton(CLIENT))[0]
    return struct.pack("<QBB", round(t_s * 1e9), kind, state) + struct.pack("!HI", port, number)


def flow(port: int, ssthresh: int = 20) -> bytes:
    return head(10.0, record_file.FLOW, 0, port) + struct.pack("<16sII8x", b"cubic", 1448, ssthresh)


def sender(
    t_s: float, port: int, acks: int, cwnd: int, srtt_us: int, state: int = 0, again: int = 0
) -> bytes:
    body = struct.pack("<Q6I", srtt_us * acks, acks, 1448 * acks, cwnd, 20, srtt_us, again)
    return head(t_s, seconds.SENDER, state, port) + body


def crossing(t_s: float, device: int, port: int, sent: int, dropped: int = 0) -> bytes:
    body = struct.pack("<QQ4I", 7000 * sent, 3 * sent, 1514 * sent, sent, dropped, 1448 * sent)
    return head(t_s, seconds.CROSSING, device, port) + body


def binned(t_s: float, device: int, sent: int, dropped: int, deepest: int) -> bytes:
    body = struct.pack("<Q6I", 1000 * sent, 1514 * sent, sent, 1514 * sent, sent, dropped, deepest)
    return head(t_s, seconds.BIN, device, 0) + body


def read(tmp_path: Path, *records: bytes) -> record.Record:
    path = tmp_path / "record.bin"
    path.write_bytes(b"".join(records))
    return record.read([(path, EPOCH_S)])


def test_two_rows_of_a_flows_second_are_one(tmp_path: Path) -> None:
    """The recorder begins its rows anew where it has more flows than rows."""
    seen = read(
        tmp_path,
        flow(1, ssthresh=27),
        flow(2),
        sender(11, 2, 4, 10, 60_000),
        sender(11, 1, 3, 11, 80_000, again=2),
        sender(11, 1, 1, 7, 70_000, state=4, again=1),
        sender(12, 1, 0, 8, 0),
    )
    assert seen.initial_ssthresh == [27, 20]
    assert {name: values.tolist() for name, values in seen.senders.items()} == {
        "t_ns": [10**9, 10**9, 2 * 10**9],
        "flow": [0, 1, 0],
        "acks": [4, 4, 0],
        "acked_bytes": [4 * 1448, 4 * 1448, 0],
        "cwnd": [7, 10, 8],
        "ssthresh": [20, 20, 20],
        "state": [4, 0, 0],
        "srtt_sum_us": [3 * 80_000 + 70_000, 4 * 60_000, 0],
        "srtt_min_us": [70_000, 60_000, seconds.NOT_YET],
        "retransmits": [3, 0, 0],
    }


def test_flows_that_the_record_does_not_tell_of_are_one(tmp_path: Path) -> None:
    seen = read(
        tmp_path,
        flow(1),
        crossing(11, 0, 8, 2),
        crossing(11, 0, 1, 5, dropped=1),
        crossing(11, 0, 9, 3),
        crossing(11, 5, 1, 4),
    )
    rows = seen.crossings
    assert rows["path"].tolist() == [0, 0, 5]
    assert rows["flow"].tolist() == [-1, 0, 0]
    assert rows["sent_packets"].tolist() == [5, 5, 4]
    assert rows["dropped"].tolist() == [0, 1, 0]
    assert rows["sent_bytes"].tolist() == [5 * 1514, 5 * 1514, 4 * 1514]
    assert rows["delay_sum_ns"].tolist() == [35_000, 35_000, 28_000]
    assert rows["backlog_sum"].tolist() == [15, 15, 12]


def test_bins_cover_the_experiment_and_checks_count_all_of_them(tmp_path: Path) -> None:
    """What was sent before second 0 is no part of the table, but of tc's counters."""
    seen = read(
        tmp_path, binned(9.99, 0, 1, 0, 9), binned(10.01, 0, 2, 1, 5), binned(10.03, 0, 3, 0, 4)
    )
    table = seconds.dense(seen.bins, 0.04)
    assert table["t_ns"].tolist() == [0, 10**7, 2 * 10**7, 3 * 10**7]
    assert table["sent_packets"].tolist() == [0, 2, 0, 3]
    assert table["sent_bytes"].tolist() == [0, 2 * 1514, 0, 3 * 1514]
    assert table["dropped"].tolist() == [0, 1, 0, 0]
    assert table["backlog_max"].tolist() == [0, 5, 0, 4]
    assert tally.of_bins(seen.bins) == tally.Tally(
        sent=6, dropped=1, deepest=9, busy_packets=6, busy_bytes=6 * 1514, busy_ns=6000
    )


def test_nothing_recorded_is_empty_columns(tmp_path: Path) -> None:
    seen = read(tmp_path)
    for rows in (seen.senders, seen.crossings, seen.bins):
        assert rows and all(len(values) == 0 for values in rows.values())
    assert seconds.dense(seen.bins, 0.02)["sent_bytes"].tolist() == [0, 0]
