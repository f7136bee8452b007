"""Queue disciplines and options that this tc does not know, set by rtnetlink. Guest side.

A line reads as a newer tc would take it: `qdisc add dev DEV parent P handle H: KIND WORDS`.
Sources: rtnetlink(7), netlink(7); include/uapi/linux/{netlink,rtnetlink,pkt_sched}.h.
"""

from __future__ import annotations

import os
import socket
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Attributes = Callable[[list[str]], bytes]

NETLINK_ROUTE = 0
SOL_NETLINK, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 10, 11
NLMSG_ERROR, RTM_NEWQDISC = 2, 36
REQUEST, ACK, EXCLUSIVE, CREATE = 0x1, 0x4, 0x200, 0x400
HAS_TLVS = 0x200  # of an answer: attributes follow the error
EXT_ACK_MESSAGE = 1
TCA_KIND, TCA_OPTIONS, NESTED = 1, 2, 0x8000
HEADER = "=IHHII"  # length, type, flags, sequence, port: struct nlmsghdr
TCMSG = "=BxxxiIII"  # family, device, handle, parent, info: struct tcmsg


def _dualpi2(words: list[str]) -> bytes:
    """TCA_DUALPI2_* of pkt_sched.h. Alpha and beta count 1/256 Hz."""
    flags = {
        "drop_on_overload": (11, 1), "overflow": (11, 0), "drop_enqueue": (12, 1),
        "drop_dequeue": (12, 0), "l4s_ect": (14, 1), "any_ect": (14, 3), "split_gso": (15, 1),
        "no_split_gso": (15, 0),
    }  # fmt: skip
    numbers = {
        "limit": (1, "=I"), "memlimit": (2, "=I"), "target": (3, "=I"), "tupdate": (4, "=I"),
        "alpha": (5, "=I"), "beta": (6, "=I"), "step_thresh": (8, "=I"), "min_qlen_step": (9, "=I"),
        "coupling_factor": (10, "=B"), "classic_protection": (13, "=B"),
    }  # fmt: skip
    found, rest = b"", iter(words)
    for word in rest:
        if word in flags:
            kind, value = flags[word]
            found += attribute(kind, struct.pack("=B", value))
            continue
        kind, form = numbers[word]
        said = next(rest)
        if said.endswith("packets"):
            kind = 7
        number = float(said.removesuffix("us").removesuffix("packets").removesuffix("%"))
        scale = 256 if word in ("alpha", "beta") else 1
        found += attribute(kind, struct.pack(form, round(number * scale)))
    return found


def _red(words: list[str]) -> bytes:
    """TCA_RED_* of pkt_sched.h, and the lab kernel's own: 7 ages an idle queue, 8 is gentle.

    Linux's table of idle times is left empty: below HTB it is never read, nor beside option 7.
    """
    flags = {"ecn": 1, "adaptive": 4, "gentle": 0}
    on = [word for word in words if word in flags]
    rest = iter([word for word in words if word not in flags])
    number = {word: float(next(rest)) for word in rest}
    limit, low, high, exponent = (
        int(number[word]) for word in ("limit", "min", "max", "weight_exponent")
    )
    said = sum(flags[word] for word in on)
    found = attribute(1, struct.pack("=IIIBBBB", limit, low, high, exponent, 0, 0, said))
    found += attribute(2, bytes(256))
    found += attribute(3, struct.pack("=I", round(number["probability"] * 0xFFFFFFFF)))
    if "idle_packet_ns" in number:
        found += attribute(7, struct.pack("=I", int(number["idle_packet_ns"])))
    return found + (attribute(8, b"") if "gentle" in on else b"")


KINDS: dict[str, Attributes] = {"dualpi2": _dualpi2, "red": _red}
"""Kind -> what makes the attributes in its TCA_OPTIONS from a line's words."""


def apply(line: str) -> None:
    """Add the line's queue discipline. Raises RuntimeError with what the kernel says."""
    try:
        _, _, _, device, _, parent, _, handle, kind, *words = line.split()
        options = KINDS[kind](words)
    except (KeyError, ValueError) as error:
        raise RuntimeError(f"{line!r} is no queue discipline for rtnetlink: {error!r}") from error
    message = struct.pack(
        TCMSG, socket.AF_UNSPEC, socket.if_nametoindex(device), _handle(handle), _handle(parent), 0
    )
    message += attribute(TCA_KIND, kind.encode() + b"\0") + attribute(TCA_OPTIONS | NESTED, options)
    flags = REQUEST | ACK | CREATE | EXCLUSIVE
    header = struct.pack(HEADER, 16 + len(message), RTM_NEWQDISC, flags, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_ROUTE) as kernel:
        kernel.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        kernel.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)
        kernel.send(header + message)
        refusal = refused(kernel.recv(65536))
    if refusal:
        raise RuntimeError(f"the kernel refuses `tc {line}`: {refusal}")


def attribute(kind: int, value: bytes) -> bytes:
    """struct nlattr, its value, and zeros up to a multiple of 4 bytes."""
    return struct.pack("=HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)


def refused(answer: bytes) -> str | None:
    """Why the kernel refuses, from its acknowledgement; None when it does not."""
    _, kind, flags, _, _ = struct.unpack_from(HEADER, answer)
    (error,) = struct.unpack_from("=i", answer, 16)
    if kind != NLMSG_ERROR or error == 0:
        return None
    said = os.strerror(-error)
    at = 16 + 4 + 16  # with NETLINK_CAP_ACK the request's header alone stands between
    while flags & HAS_TLVS and at + 4 <= len(answer):
        length, name = struct.unpack_from("=HH", answer, at)
        if name == EXT_ACK_MESSAGE:
            said += f" ({answer[at + 4 : at + length].rstrip(bytes(1)).decode()})"
        at += max(4, length + -length % 4)
    return said


def _handle(text: str) -> int:
    """`1:10`, both hexadecimal, as the kernel's 32 bits."""
    major, _, minor = text.partition(":")
    return int(major or "0", 16) << 16 | int(minor or "0", 16)
