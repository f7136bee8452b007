"""Quantities as people write them, and the SI numbers they stand for.

A quantity is a number and a unit in one string: `8Mbit/s`, `100ms`, `1bdp`, `67packets`, `10%`.
A bare number is refused, because nobody can tell which unit was meant; only `0` may go without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from types import MappingProxyType

__all__ = [
    "DURATION",
    "LIMIT",
    "PACKET_BYTES",
    "RATE",
    "RATIO",
    "SIZE",
    "BadQuantity",
    "Dimension",
    "Limit",
    "bdp_packets",
    "duration_s",
    "limit",
    "rate_bps",
    "ratio",
    "size_bytes",
]

PACKET_BYTES = 1500
"""A full packet: Ethernet's MTU, the unit in which queue limits are counted."""

_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*(\S*)\s*")
_MAX_LENGTH = 64
_MAX = Decimal("1e15")


class BadQuantity(ValueError):
    """A string that is no quantity of the asked dimension. `remedy` says how to write it."""

    def __init__(self, value: object, allowed: str, remedy: str) -> None:
        self.value = value
        self.allowed = allowed
        self.remedy = remedy
        super().__init__(f"{value!r} is not {allowed}; {remedy}")


@dataclass(frozen=True)
class Dimension:
    """A kind of quantity. `units`: unit -> factor to SI; `mistaken`: unit -> what was meant."""

    name: str
    units: Mapping[str, Decimal]
    example: str
    mistaken: Mapping[str, str]

    @property
    def allowed(self) -> str:
        """What may be written, as a phrase."""
        return f"{self.name} such as {self.example} (units: {', '.join(self.units)})"

    @property
    def pattern(self) -> str:
        """Regular expression (ECMA 262 too) of the accepted strings, for JSON Schema."""
        units = "|".join(re.escape(unit).replace(r"\%", "%") for unit in self.units)
        return rf"^\s*\+?(\d+\.?\d*|\.\d+)([eE][-+]?\d{{1,3}})?\s*({units})\s*$"

    def parse(self, value: object) -> tuple[Decimal, str]:
        """Number in SI and the unit it was written in ("" for a bare 0).

        Raises BadQuantity: not a string, no number, no unit, another dimension's unit, negative.
        """
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise BadQuantity(value, self.allowed, f"write a string such as {self.example}")
        if not isinstance(value, str):
            if value == 0:
                return Decimal(0), ""
            unit = next(iter(_common(self)))
            raise BadQuantity(value, self.allowed, f"add the unit, for example {value}{unit}")
        match = _NUMBER.fullmatch(value) if len(value) <= _MAX_LENGTH else None
        if match is None:
            raise BadQuantity(
                value, self.allowed, f"write a number and a unit, for example {self.example}"
            )
        number, unit = Decimal(match[1]), match[2]
        if not unit and number == 0:
            return Decimal(0), ""
        if unit not in self.units:
            raise BadQuantity(value, self.allowed, self._remedy(match[1], unit))
        if number < 0:
            raise BadQuantity(value, self.allowed, "it cannot be negative")
        if number * self.units[unit] > _MAX:
            raise BadQuantity(value, self.allowed, "it is too large to be meant")
        return number * self.units[unit], unit

    def _remedy(self, number: str, unit: str) -> str:
        if not unit:
            return f"add the unit, for example {number}{next(iter(_common(self)))}"
        meant = self.mistaken.get(unit) or next(
            (known for known in self.units if known.lower() == unit.lower()), None
        )
        if meant is not None:
            return f"write {number}{meant}"
        return f"{unit!r} is not a unit of {self.name.removeprefix('a ')}; write {self.example}"


def _dimension(
    name: str, units: dict[str, str], example: str, mistaken: dict[str, str]
) -> Dimension:
    exact = {unit: Decimal(factor) for unit, factor in units.items()}
    return Dimension(name, MappingProxyType(exact), example, MappingProxyType(mistaken))


RATE = _dimension(
    "a rate",
    {"bit/s": "1", "kbit/s": "1e3", "Mbit/s": "1e6", "Gbit/s": "1e9"},
    "8Mbit/s",
    {
        **{f"{p}{s}": f"{p}bit/s" for p in ("k", "M", "G") for s in ("bps", "bit", "b/s")},
        **{"bps": "bit/s", "mbps": "Mbit/s", "kb": "kbit/s", "Mb": "Mbit/s", "K": "kbit/s"},
        **{"mbit": "Mbit/s", "Kbps": "kbit/s", "k": "kbit/s", "M": "Mbit/s"},
    },
)
DURATION = _dimension(
    "a duration",
    {"us": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600"},
    "100ms",
    {"sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "µs": "us", "μs": "us",
     "m": "min", "minutes": "min", "minute": "min", "hours": "h", "hour": "h", "hr": "h"},
)  # fmt: skip
SIZE = _dimension(
    "a size",
    {"bytes": "1", "kB": "1e3", "MB": "1e6", "GB": "1e9", "packets": str(PACKET_BYTES)},
    "20packets",
    {"B": "bytes", "byte": "bytes", "kb": "kB", "KB": "kB", "packet": "packets", "pkt": "packets",
     "p": "packets", "pkts": "packets"},
)  # fmt: skip
LIMIT = _dimension(
    "a queue limit",
    {"packets": "1", "bdp": "1"},
    "1bdp or 67packets",
    {"packet": "packets", "pkt": "packets", "pkts": "packets", "p": "packets", "BDP": "bdp"},
)
RATIO = _dimension("a percentage", {"%": "0.01"}, "10%", {"percent": "%", "pct": "%"})

_COMMON = {"a rate": "Mbit/s", "a duration": "s", "a size": "packets", "a queue limit": "packets"}


def _common(dimension: Dimension) -> tuple[str]:
    return (_COMMON.get(dimension.name, "%"),)


@dataclass(frozen=True)
class Limit:
    """A queue limit: packets, or a multiple of the bandwidth-delay product. One is None."""

    packets: int | None = None
    bdp: float | None = None


def rate_bps(value: object) -> float:
    """`8Mbit/s` -> 8e6. Raises BadQuantity."""
    return float(RATE.parse(value)[0])


def duration_s(value: object) -> float:
    """`100ms` -> 0.1. Raises BadQuantity."""
    return float(DURATION.parse(value)[0])


def size_bytes(value: object) -> int:
    """`20packets` -> 30000; fractions of a byte round up. Raises BadQuantity."""
    return ceil(SIZE.parse(value)[0])


def ratio(value: object) -> float:
    """`10%` -> 0.1. May exceed 1. Raises BadQuantity."""
    return float(RATIO.parse(value)[0])


def limit(value: object) -> Limit:
    """`67packets` or `0.5bdp`. Raises BadQuantity, also for zero and for parts of a packet."""
    number, unit = LIMIT.parse(value)
    if number == 0:
        raise BadQuantity(
            value, LIMIT.allowed, "a queue must hold at least one packet; write 1packets or more"
        )
    if unit == "bdp":
        return Limit(bdp=float(number))
    if number != number.to_integral_value():
        raise BadQuantity(value, LIMIT.allowed, f"write whole packets, {ceil(number)}packets")
    return Limit(packets=int(number))


def bdp_packets(rate_bps: float, rtt_s: float, multiple: float = 1.0) -> int:
    """Packets of 1500 bytes in `multiple` bandwidth-delay products, rounded up, at least 1.

    bdp_packets(8e6, 0.1) == 67. The tiny allowance keeps an exact quotient from rounding up.
    """
    return max(1, ceil(multiple * rate_bps * rtt_s / 8 / PACKET_BYTES - 1e-9))
