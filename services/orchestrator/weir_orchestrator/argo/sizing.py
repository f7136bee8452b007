"""How work is cut into pods. Pure.

A pod starts in some ten seconds, in which nothing is carried out: a batch is long beside that, as
far as all nodes can still take part, and short enough that losing a pod or waiting for one costs
little. A pod ends after its runs, so that other campaigns get its place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lightkube.utils.quantity import parse_quantity

__all__ = ["Batches", "cut", "pods_that_fit", "quantity"]


@dataclass(frozen=True)
class Batches:
    """One workflow: `pods` batches of `runs` runs each, `at_once` of them at a time."""

    pods: int
    runs: int
    at_once: int


def cut(
    runs: int,
    *,
    room: int,
    at_once: int,
    jobs: int,
    run_s: float,
    batch_s: float,
    at_most: int,
) -> Batches | None:
    """What the next workflow is for `runs` runs that can be claimed; None: nothing now.

    room: pods that there is room for now. at_once: and later, when other workflows have ended.
    run_s: wall time of one run on a core. at_most: pods of one workflow. Never more pods than
    there are runs for, each of which is given `jobs` to do at once.
    """
    if runs <= 0 or room <= 0:
        return None
    longest = max(jobs, round(batch_s * jobs / max(run_s, 1e-3)))
    each = min(longest, max(jobs, math.ceil(runs / room)))
    pods = min(at_most, math.ceil(runs / each))
    return Batches(pods, each, min(at_once, pods))


def pods_that_fit(nodes: list[tuple[float, float]], cores: float, memory_bytes: float) -> int:
    """Pods that ask for so much, on nodes of (cores, bytes of memory)."""
    return sum(int(min((have + 1e-6) // cores, memory // memory_bytes)) for have, memory in nodes)


def quantity(text: str) -> float:
    """A quantity of Kubernetes: `250m`, `2`, `512Mi`. Raises ValueError."""
    try:
        return float(parse_quantity(text) or 0)
    except ValueError as error:
        raise ValueError(f"{text!r} — allowed: a number, as 2, 500m or 512Mi") from error
