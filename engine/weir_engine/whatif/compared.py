"""A what-if beside the run that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from weir import rundir

from weir_engine.parting import Parting, partings
from weir_engine.whatif.original import Original, metrics_of

__all__ = ["SHOWN", "Beside", "beside", "first_parting"]

SHOWN: Final = (
    "qoe_pensieve",
    "qoe_yin",
    "mean_bitrate_bps",
    "startup_s",
    "stall_count",
    "rebuffer_ratio_no_startup_percent",
    "switch_count",
)


@dataclass(frozen=True)
class Beside:
    """A client's metric in both runs; None: not defined there. client: from 1."""

    client: int
    metric: str
    original: float | None
    whatif: float | None


def beside(a: Original, b: Original) -> list[Beside]:
    """SHOWN of every client."""
    both = metrics_of(a.folder)["clients"], metrics_of(b.folder)["clients"]
    return [
        Beside(left["client"], name, left.get(name), right.get(name))
        for left, right in zip(*both, strict=True)
        for name in SHOWN
    ]


def first_parting(a: Original, b: Original) -> Parting | None:
    """In whichever of their records comes first; None: they are the same."""
    return next(iter(partings(rundir.load(a.folder), rundir.load(b.folder))), None)
