"""RED and its adaptive form (Floyd and Jacobson 1993; Floyd, Gummadi and Shenker 2001)."""

from __future__ import annotations

from math import ceil, log2
from typing import Literal

from pydantic import Field

from weir import resolved_network
from weir.spec.discipline import Discipline, Ecn, refused
from weir.spec.quantities import (
    RatioUpTo1,
    SizeBytes,
)
from weir.units import PACKET_BYTES

__all__ = ["AdaptiveRed", "Red"]


class _Red(Discipline):
    min: SizeBytes | None = Field(
        default=None, description="No drops below this mean length; default: limit/6."
    )
    max: SizeBytes | None = Field(
        default=None,
        description="From here on all are dropped; default: limit/2, or 3 times a given `min`.",
    )
    probability: RatioUpTo1 = Field(
        default="2%", validate_default=True, description="Of a drop, just below `max`."
    )
    burst: int | None = Field(
        default=None,
        ge=1,
        description="Packets of 1000 bytes let through from empty; default: (2 min + max)/3.",
    )
    ecn: Ecn = False
    weight: float | None = Field(
        default=None,
        gt=0,
        le=0.5,
        description="Of a packet in the mean length, to the nearest power of 1/2; default: what "
        "`burst` gives.",
    )
    gentle: bool = Field(
        default=False,
        description="From `max` to 2 `max` drops grow from `probability` to 100%.",
    )
    idle: Literal["aged", "as-linux"] = Field(
        default="as-linux",
        description="Does the mean length fall while the queue is empty? As in Linux it does not, "
        "where a rate is held above the queue.",
    )

    def _options(self, limit_packets: int, mean_bps: float) -> resolved_network.QueueOptions:
        """min L/6, max L/2, burst (2 min + max)/(3 avpkt): the seed testbed's and tc-red(8)'s."""
        if self.min is not None and self.max is not None and self.min >= self.max:
            raise refused("min", f"{self.min}bytes", f"less than max, {self.max}bytes",
                           "lower min or raise max")  # fmt: skip
        limit_bytes, avpkt_bytes = limit_packets * PACKET_BYTES, 1000
        low = self.min or limit_bytes // 6
        high = self.max or (limit_bytes // 2 if self.min is None else 3 * low)
        if not low < high <= limit_bytes:
            allowed = f"min < max <= limit, {limit_bytes}bytes"
            found = f"min {low}bytes, max {high}bytes"
            raise refused("max", found, allowed, "change min, max or limit")
        burst = self.burst or ceil((2 * low + high) / (3 * avpkt_bytes))
        if burst + 1 - low / avpkt_bytes < 1:
            allowed = f"at least min / {avpkt_bytes} bytes = {ceil(low / avpkt_bytes)}"
            raise refused("burst", burst, allowed, "raise it or remove it")
        options: resolved_network.QueueOptions = {
            "min_bytes": low,
            "max_bytes": high,
            "avpkt_bytes": avpkt_bytes,
            "burst_packets": burst,
            "probability": self.probability,
            "rate_bps": mean_bps,
            "ecn": self.ecn,
        }
        return options | self._beyond_tc(low, high, burst, avpkt_bytes)

    def _beyond_tc(
        self, min_bytes: int, max_bytes: int, burst: int, avpkt_bytes: int
    ) -> resolved_network.QueueOptions:
        """What tc has no words for; empty where nothing of it is asked for."""
        if self.weight is None and not self.gentle and self.idle == "as-linux":
            return {}
        if self.weight is not None and self.burst is not None:
            raise refused("weight", self.weight, "weight or burst, not both", "remove one")
        exponent = (
            _weight_exponent(min_bytes / avpkt_bytes, burst)
            if self.weight is None
            else round(-log2(self.weight))
        )
        bits = 31 - max_bytes.bit_length()  # the kernel's mean length has 32 of them
        if exponent > bits:
            allowed = f"2^-{bits} = {2.0**-bits:g} or more with this max"
            raise refused("weight", f"2^-{exponent}", allowed, "raise weight, or lower max")
        found: resolved_network.QueueOptions = {"weight_exponent": exponent, "gentle": self.gentle}
        return found | {"idle_aged": self.idle == "aged"}


def _weight_exponent(min_packets: float, burst_packets: int) -> int:
    """-log2 of the largest weight that lets a burst through from empty.

    It grows the mean to min after that many packets: L + 1 + ((1 - w)^(L + 1) - 1) / w < min (Floyd
    and Jacobson 1993, equation 3), in the form in which tc solves it.
    """
    for exponent in range(1, 32):
        weight = 2.0**-exponent
        if burst_packets + 1 - min_packets <= (1 - (1 - weight) ** burst_packets) / weight:
            return exponent
    return 31


class Red(_Red):
    """Random early detection: drops grow likelier with the queue's mean length."""

    discipline: Literal["red"]


class AdaptiveRed(_Red):
    """RED that adapts its probability."""

    discipline: Literal["ared"]
