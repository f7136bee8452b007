"""What every queue discipline has: a limit, and the form in which its options are resolved."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from weir import resolved_network
from weir.errors import Problem, SpecError
from weir.spec.model import Model
from weir.spec.quantities import (
    PositiveDurationS,
    QueueLimit,
    RateBps,
    with_unit,
)
from weir.units import bdp_packets

__all__ = ["Bdp", "Discipline", "Ecn", "refused"]

Ecn = Annotated[
    bool, Field(description="Mark packets of senders that allow it instead of dropping them.")
]


class Bdp(Model):
    """The link whose bandwidth-delay product `1bdp` means."""

    rate: RateBps
    rtt: PositiveDurationS


class Discipline(Model):
    """A queue discipline; each kind adds its name, its options, and how they are resolved."""

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

    def resolve(self, mean_bps: float, rtt_s: float) -> resolved_network.Queue:
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
                raise refused("limit", f"{asked}packets", f"{least}packets or more",
                               f"{self.discipline} refuses less")  # fmt: skip
            return asked
        rtt_s = self.bdp.rtt if self.bdp else rtt_s
        if rtt_s == 0:
            remedy = "set gateway.path.rtt.mean or queue.bdp, or write the limit in packets"
            allowed = "packets where the path has no RTT"
            raise refused("limit", f"{self.limit.bdp:g}bdp", allowed, remedy)
        rate_bps = self.bdp.rate if self.bdp else mean_bps
        return max(least, bdp_packets(rate_bps, rtt_s, self.limit.bdp or 1.0))

    def _options(self, limit_packets: int, mean_bps: float) -> resolved_network.QueueOptions:
        """What the discipline has beside its limit. A model whose defaults depend on the link has
        its own."""
        return {
            with_unit(name, field): getattr(self, name)
            for name, field in type(self).model_fields.items()
            if name not in Discipline.model_fields and getattr(self, name) is not None
        }


def refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    """What an option cannot be, by its path from the queue."""
    return SpecError([Problem(path, value, allowed, remedy)])
