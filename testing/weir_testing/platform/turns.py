"""What the housekeeper has done by turns, done at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weir_orchestrator.schedules import Job, Take

__all__ = ["at_once"]


def at_once(offer: Callable[[Take], object]) -> int:
    """Do what is offered one after the other, and what is offered after that; how often that got
    anything further."""
    done = 0
    while further := _attempted(offer):
        done += further
    return done


def _attempted(offer: Callable[[Take], object]) -> int:
    jobs: list[Job] = []

    def take(offered: Sequence[Job]) -> None:
        jobs.extend(offered)

    offer(take)
    return sum(each.attempt() for each in jobs)
