"""What is kept of a bottleneck's packets."""

from __future__ import annotations

from weir.resolved import Experiment

__all__ = ["sums_packets"]


def sums_packets(experiment: Experiment) -> bool:
    """Whether the recorder itself sums them up, and tells of none.

    One of the real clock does not, as second 0 is known at its end only: sums are of its packets.
    """
    kept = experiment["record"]["queue"]
    return kept == "per-second" or (kept == "summary" and experiment["clock"] == "virtual")
