"""Which film a client of a resolved experiment plays."""

from __future__ import annotations

from weir.resolved import Experiment
from weir.resolved_film import Content

__all__ = ["film_of", "is_session"]


def film_of(experiment: Experiment, number: int) -> Content:
    """Of client `number` (1-based): a session's own, or the experiment's."""
    return experiment["clients"][number - 1].get("film", experiment["content"])


def is_session(experiment: Experiment, number: int) -> bool:
    """Whether client `number` (1-based) is a session, and no player."""
    return "film" in experiment["clients"][number - 1]
