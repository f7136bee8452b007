"""Queue disciplines: each one's options with their bounds, defaults and units, said here alone.

A resolved option is named with its unit: `target: 5ms` becomes `target_s: 0.005`. What tc is told
of it says weir_gateway.queues.
"""

from __future__ import annotations

from math import ceil, log2
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

from pydantic import BeforeValidator, Field

from weir import resolved
from weir.errors import Problem, SpecError
from weir.spec.model import Model
from weir.spec.quantities import (
    PositiveDurationS,
    QueueLimit,
    RateBps,
    RatioUpTo1,
    SizeBytes,
    with_unit,
)
from weir.units import PACKET_BYTES, bdp_packets

__all__ = ["DISCIPLINES", "Bdp", "DropTail", "Queue"]

Ecn = Annotated[
    bool, Field(description="Mark packets of senders that allow it instead of dropping them.")
]


class Bdp(Model):
    """The link whose bandwidth-delay product `1bdp` means."""

    rate: RateBps
    rtt: PositiveDurationS


class _Queue(Model):
    least_packets: ClassVar[int] = 1
    per_flow: ClassVar[bool] = False
    """A queue for each flow."""
    drops_early: ClassVar[bool] = True
    """Packets are dropped (or marked) before the queue is full."""

    discipline: str
    limit: QueueLimit = Field(default="1bdp", validate_default=True)
    bdp: Bdp | None = Field(
        default=None,
        description="Reference link of `bdp` limits; absent: this link's mean rate, the mean RTT.",
    )

    def resolve(self, mean_bps: float, rtt_s: float) -> resolved.Queue:
        """The queue of a link with this mean rate, on a path with this mean RTT.

        Raises SpecError, with paths that start at the queue.
        """
        limit = self._limit_packets(mean_bps, rtt_s)
        return {
            "discipline": self.discipline,
            "limit_packets": limit,
            "options": self._options(limit, mean_bps),
        }

    def _limit_packets(self, mean_bps: float, rtt_s: float) -> int:
        asked, least = self.limit.packets, self.least_packets
        if asked is not None:
            if asked < least:
                raise _refused("limit", f"{asked}packets", f"{least}packets or more",
                               f"{self.discipline} refuses less")  # fmt: skip
            return asked
        rtt_s = self.bdp.rtt if self.bdp else rtt_s
        if rtt_s == 0:
            remedy = "set gateway.path.rtt.mean or queue.bdp, or write the limit in packets"
            allowed = "packets where the path has no RTT"
            raise _refused("limit", f"{self.limit.bdp:g}bdp", allowed, remedy)
        rate_bps = self.bdp.rate if self.bdp else mean_bps
        return max(least, bdp_packets(rate_bps, rtt_s, self.limit.bdp or 1.0))

    def _options(self, limit_packets: int, mean_bps: float) -> resolved.QueueOptions:
        """What the discipline has beside its limit. A model whose defaults depend on the link has
        its own."""
        return {
            with_unit(name, field): getattr(self, name)
            for name, field in type(self).model_fields.items()
            if name not in _Queue.model_fields and getattr(self, name) is not None
        }


class DropTail(_Queue):
    """One queue; what does not fit is dropped."""

    drops_early = False

    discipline: Literal["drop-tail"] = "drop-tail"


class Sfq(_Queue):
    """Stochastic fair queueing: a queue for each flow, served in turn."""

    least_packets = 2
    per_flow = True
    drops_early = False

    discipline: Literal["sfq"]


class _Red(_Queue):
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

    def _options(self, limit_packets: int, mean_bps: float) -> resolved.QueueOptions:
        """min L/6, max L/2, burst (2 min + max)/(3 avpkt): the seed testbed's and tc-red(8)'s."""
        if self.min is not None and self.max is not None and self.min >= self.max:
            raise _refused("min", f"{self.min}bytes", f"less than max, {self.max}bytes",
                           "lower min or raise max")  # fmt: skip
        limit_bytes, avpkt_bytes = limit_packets * PACKET_BYTES, 1000
        low = self.min or limit_bytes // 6
        high = self.max or (limit_bytes // 2 if self.min is None else 3 * low)
        if not low < high <= limit_bytes:
            allowed = f"min < max <= limit, {limit_bytes}bytes"
            found = f"min {low}bytes, max {high}bytes"
            raise _refused("max", found, allowed, "change min, max or limit")
        burst = self.burst or ceil((2 * low + high) / (3 * avpkt_bytes))
        if burst + 1 - low / avpkt_bytes < 1:
            allowed = f"at least min / {avpkt_bytes} bytes = {ceil(low / avpkt_bytes)}"
            raise _refused("burst", burst, allowed, "raise it or remove it")
        options: resolved.QueueOptions = {
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
    ) -> resolved.QueueOptions:
        """What tc has no words for; empty where nothing of it is asked for."""
        if self.weight is None and not self.gentle and self.idle == "as-linux":
            return {}
        if self.weight is not None and self.burst is not None:
            raise _refused("weight", self.weight, "weight or burst, not both", "remove one")
        exponent = (
            _weight_exponent(min_bytes / avpkt_bytes, burst)
            if self.weight is None
            else round(-log2(self.weight))
        )
        bits = 31 - max_bytes.bit_length()  # the kernel's mean length has 32 of them
        if exponent > bits:
            allowed = f"2^-{bits} = {2.0**-bits:g} or more with this max"
            raise _refused("weight", f"2^-{exponent}", allowed, "raise weight, or lower max")
        found: resolved.QueueOptions = {"weight_exponent": exponent, "gentle": self.gentle}
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


class _Sojourn(_Queue):
    target: PositiveDurationS = Field(
        default="5ms", validate_default=True, description="Time in the queue to get below."
    )
    interval: PositiveDurationS = Field(
        default="100ms",
        validate_default=True,
        description="Above `target` for so long, it begins to drop; about the longest RTT.",
    )
    ecn: Ecn = False


class CoDel(_Sojourn):
    """Controlled delay: drops by the time that packets stay."""

    discipline: Literal["codel"]


class FqCoDel(_Sojourn):
    """CoDel in a queue for each flow."""

    per_flow = True

    discipline: Literal["fq-codel"]
    flows: int = Field(default=1024, ge=1, le=65536, description="Queues that flows are hashed to.")


class Pie(_Queue):
    """Proportional integral controller enhanced: drops by the estimated time in the queue."""

    discipline: Literal["pie"]
    target: PositiveDurationS = Field(
        default="15ms", validate_default=True, description="Time in the queue to hold."
    )
    tupdate: PositiveDurationS = Field(
        default="15ms",
        validate_default=True,
        description="How often its probability changes.",
    )
    ecn: Ecn = False


class DualPi2(_Queue):
    """RFC 9332: a shallow queue for L4S packets beside a classic one, coupled and held by PI2."""

    discipline: Literal["dualpi2"]
    memory_limit: SizeBytes | None = Field(
        default=None, description="Of both queues; default: what `limit` packets take."
    )
    target: PositiveDurationS = Field(
        default="15ms", validate_default=True, description="Time in the classic queue to hold."
    )
    tupdate: PositiveDurationS = Field(
        default="16ms", validate_default=True, description="How often its probability changes."
    )
    alpha: float = Field(
        default=0.16, gt=0, le=1000, description="Hz; gain by how far the delay is from `target`."
    )
    beta: float = Field(
        default=3.2, gt=0, le=1000, description="Hz; gain by how much the delay grew."
    )
    step_thresh: PositiveDurationS = Field(
        default="1ms",
        validate_default=True,
        description="L4S packets that stayed longer are marked.",
    )
    step_packets: int | None = Field(
        default=None, ge=1, description="Of the L4S queue, instead of `step_thresh`."
    )
    min_qlen_step: int = Field(
        default=0, ge=0, description="Packets in the L4S queue below which none is marked so."
    )
    coupling_factor: int = Field(
        default=2, ge=1, le=255, description="Of L4S marks to the root of classic drops."
    )
    drop_overload: bool = Field(
        default=True, description="Drop L4S packets on overload; false: let the queue overflow."
    )
    drop_early: bool = Field(default=False, description="Drop as packets come, not as they leave.")
    classic_protection: RatioUpTo1 = Field(
        default="10%", validate_default=True, description="Share of the link kept for classic."
    )
    ecn: bool = Field(default=False, description="Hosts ask for ECN; else all is classic.")
    ecn_mask: Literal["l4s_ect", "any_ect"] = Field(
        default="l4s_ect",
        description="What is L4S: ECT(1), or ECT(0) too, as of DCTCP (in a datacentre only).",
    )
    split_gso: bool = Field(default=True, description="Take bundles of segments apart.")


class Cake(_Queue):
    """Common applications kept enhanced: fair queues with CoDel's like; its limit is memory."""

    per_flow = True

    discipline: Literal["cake"]


def _drop_tail_unless_said(value: Any) -> Any:
    """A key that is null stands for its default, as a key that is left out."""
    if not isinstance(value, dict):
        return value
    said = {key: given for key, given in value.items() if given is not None}
    return {"discipline": "drop-tail", **said}


Queue = Annotated[
    DropTail | Sfq | Red | AdaptiveRed | CoDel | FqCoDel | Pie | DualPi2 | Cake,
    Field(discriminator="discipline"),
    BeforeValidator(_drop_tail_unless_said),
]
"""Any of them; drop-tail where no discipline is named."""

DISCIPLINES: Final[dict[str, type[_Queue]]] = {
    get_args(kind.model_fields["discipline"].annotation)[0]: kind
    for kind in get_args(get_args(Queue)[0])
}
"""Their models by name."""


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
