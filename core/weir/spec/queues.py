"""Queue disciplines: each one's options with their bounds, defaults and units, said here alone.

A resolved option is named with its unit: `target: 5ms` becomes `target_s: 0.005`. What tc is told
of it says weir_gateway.queues.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, Field

from weir import resolved_network
from weir.spec.discipline import Discipline, Ecn, refused
from weir.spec.quantities import (
    PositiveDurationS,
    RatioUpTo1,
    SizeBytes,
)
from weir.spec.red import AdaptiveRed, Red

__all__ = ["DISCIPLINES", "DropTail", "Queue"]


class DropTail(Discipline):
    """One queue; what does not fit is dropped."""

    drops_early = False

    discipline: Literal["drop-tail"] = "drop-tail"


class Sfq(Discipline):
    """Stochastic fair queueing: a queue for each flow, served in turn."""

    least_packets = 2
    per_flow = True
    drops_early = False

    discipline: Literal["sfq"]


CeThreshold = Annotated[
    PositiveDurationS | None,
    Field(
        description="Mark each packet that stayed longer and whose sender allows it, whatever "
        "`ecn` says; default: none."
    ),
]


class _Sojourn(Discipline):
    target: PositiveDurationS = Field(
        default="5ms", validate_default=True, description="Time in the queue to get below."
    )
    interval: PositiveDurationS = Field(
        default="100ms",
        validate_default=True,
        description="Above `target` for so long, it begins to drop; about the longest RTT.",
    )
    ecn: Ecn = False
    ce_threshold: CeThreshold = None


class CoDel(_Sojourn):
    """Controlled delay: drops by the time that packets stay."""

    discipline: Literal["codel"]


class FqCoDel(_Sojourn):
    """CoDel in a queue for each flow."""

    per_flow = True

    discipline: Literal["fq-codel"]
    flows: int = Field(default=1024, ge=1, le=65536, description="Queues that flows are hashed to.")
    ce_threshold_for: Literal["any_ect", "l4s_ect"] | None = Field(
        default=None,
        description="Whose packets `ce_threshold` marks; l4s_ect: those with ECT(1) alone, as an "
        "L4S sender has them. Default: any_ect.",
    )

    def resolve(self, mean_bps: float, rtt_s: float) -> resolved_network.Queue:
        """As every discipline's. Raises SpecError."""
        if self.ce_threshold_for is not None and self.ce_threshold is None:
            raise refused("ce_threshold_for", self.ce_threshold_for, "beside ce_threshold",
                           "set ce_threshold, or remove it")  # fmt: skip
        return super().resolve(mean_bps, rtt_s)


class Pie(Discipline):
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


class DualPi2(Discipline):
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


class Cake(Discipline):
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

DISCIPLINES: Final[dict[str, type[Discipline]]] = {
    get_args(kind.model_fields["discipline"].annotation)[0]: kind
    for kind in get_args(get_args(Queue)[0])
}
"""Their models by name."""
