"""What goes to the kernel and what it answers, byte by byte."""

from __future__ import annotations

import struct

import pytest
from weir_gateway import rtnetlink


def test_an_attribute_is_padded_to_four_bytes() -> None:
    assert rtnetlink.attribute(1, b"pie\0") == b"\x08\x00\x01\x00pie\0"
    assert rtnetlink.attribute(11, b"\x01") == b"\x05\x00\x0b\x00\x01\0\0\0"


def answer(error: int, text: bytes = b"") -> bytes:
    """An acknowledgement, with the kernel's own words where there are some."""
    said = rtnetlink.attribute(1, text + b"\0") if text else b""
    flags = rtnetlink.HAS_TLVS if text else 0
    body = struct.pack("=i", error) + bytes(16) + said
    return struct.pack(rtnetlink.HEADER, 16 + len(body), 2, flags, 1, 0) + body


def test_a_refusal_is_told_in_the_kernels_words() -> None:
    assert rtnetlink.refused(answer(0)) is None
    assert rtnetlink.refused(answer(-2)) == "No such file or directory"
    said = rtnetlink.refused(answer(-22, b"Dualpi2 options are required"))
    assert said == "Invalid argument (Dualpi2 options are required)"


@pytest.mark.parametrize(
    "line", ["qdisc add dev x", "qdisc add dev lo parent 1: handle 2: odd a 1"]
)
def test_a_line_that_is_none_is_named(line: str) -> None:
    with pytest.raises(RuntimeError, match="is no queue discipline for rtnetlink"):
        rtnetlink.apply(line)
