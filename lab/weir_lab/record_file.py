"""The file that the lab kernel's recorder writes: its records (lab/kernel/modules/recorder.h)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir_lab import left, seconds

__all__ = [
    "ACK",
    "DEADLINE",
    "FLOW",
    "KINDS",
    "PACKET",
    "RETRANSMIT",
    "TYPES",
    "chunks",
    "counts",
    "of_kind",
    "whole_bytes",
]

ACK, RETRANSMIT, PACKET, FLOW, DEADLINE = 1, 2, 3, 4, 8
_KIND_AT = 8
_HEAD = [("t_ns", "<i8"), ("kind", "u1"), ("state", "u1"), ("port", ">u2"), ("addr", ">u4")]
_BODY = {
    ACK: [
        (name, "<u4")
        for name in (
            "cwnd", "ssthresh", "in_flight", "srtt_us", "rto_us", "rwnd", "una", "delivered",
        )
    ],
    RETRANSMIT: [("seq", "<u4"), ("len", "<u4"), ("spare", "V24")],
    PACKET: [
        ("arrival_ns", "<i8"), ("seq", "<u4"), ("backlog", "<u4"), ("size", "<u2"),
        ("payload", "<u2"), ("reason", "<u2"), ("device", "u1"), ("flags", "u1"), ("ecn", "u1"),
        ("marked", "u1"), ("spare", "V6"),
    ],
    FLOW: [
        ("congestion_control", "S16"), ("mss", "<u4"), ("ssthresh", "<u4"), ("ecn", "u1"),
        ("spare", "V7"),
    ],
    DEADLINE: [
        ("margin_us", "<i8"), ("throughput_bps", "<i8"), ("alpha_milli", "<u4"),
        ("beta_milli", "<u4"), ("spare", "V8"),
    ],
    **seconds.TYPES,
}  # fmt: skip
TYPES = {kind: np.dtype(_HEAD + body) for kind, body in _BODY.items()}
RECORD_BYTES = 48
KINDS = 256
MOST_FILE_BYTES = 2 << 30
_CHUNK_RECORDS = 1 << 13


def whole_bytes(path: Path, *, unfinished: bool) -> int:
    """Of the records that are written whole; 0 where there is no such file.

    unfinished: the last one may be cut short. Otherwise raises ValueError where it is.
    """
    if not os.path.lexists(path):
        return 0
    with left.reading(path.parent, path.name, MOST_FILE_BYTES) as file:
        size = os.fstat(file.fileno()).st_size
    if size % RECORD_BYTES and not unfinished:
        raise ValueError(f"{path.name}: {size} bytes are not whole records")
    return size - size % RECORD_BYTES


def chunks(path: Path, size: int) -> Iterator[NDArray[np.void]]:
    """The records in the file's first `size` bytes, some at a time, in the place of those before.

    Raises ValueError where it is shorter by now.
    """
    if not size:
        return
    chunk = np.empty(min(_CHUNK_RECORDS, size // RECORD_BYTES), f"V{RECORD_BYTES}")
    with left.reading(path.parent, path.name, MOST_FILE_BYTES) as file:
        for start in range(0, size, chunk.nbytes):
            records = chunk[: (size - start) // RECORD_BYTES]
            if file.readinto(records.view(np.uint8).data) < records.nbytes:
                raise ValueError(f"{path.name}: was cut short as it was read")
            yield records


def counts(records: NDArray[np.void]) -> NDArray[np.int64]:
    """How many there are of each kind, by the kind's number."""
    return np.bincount(_kinds(records), minlength=KINDS)


def of_kind(records: NDArray[np.void], kind: int) -> NDArray[Any]:
    """A copy of those of a kind, of its type in TYPES."""
    found: NDArray[Any] = records[_kinds(records) == kind].view(TYPES[kind])
    return found


def _kinds(records: NDArray[np.void]) -> NDArray[np.uint8]:
    return records.view(np.uint8)[_KIND_AT::RECORD_BYTES]
