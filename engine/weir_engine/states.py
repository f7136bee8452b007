"""The states of a run and the rules of going from one to the next while it is carried out.

    pending -> queued -> running -> succeeded | failed | invalid | cancelled

State is where a run stands; the dated history of it is kept beside the result (host.json). A rule
looks at one transition and gives the reason why it refuses, or None. The first refusal counts.
What else happens to a run on the platform: weir_orchestrator.lifecycle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, get_args

from weir.errors import WeirError

__all__ = [
    "BAD",
    "FINISHED",
    "NEXT",
    "OPEN",
    "STATES",
    "TROUBLES",
    "BadState",
    "History",
    "Refused",
    "RunState",
    "Transition",
    "move",
    "now",
]

RunState = Literal["pending", "queued", "running", "succeeded", "failed", "cancelled", "invalid"]
STATES: Final[tuple[str, ...]] = get_args(RunState)
OPEN: Final = ("pending", "queued", "running")
FINISHED: Final = ("succeeded", "invalid")
"""States with a result that is kept."""
TROUBLES: Final = ("failed", "invalid")
"""Ends that somebody is told of, with a reason."""
BadState = Literal["failed", "invalid", "cancelled"]
BAD: Final[tuple[str, ...]] = get_args(BadState)
"""States from which a run may be asked for again."""

History = list[dict[str, str]]
"""[{"state", "at" (ISO 8601, UTC), "reason" (only where there is one)}]"""

NEXT: Final[dict[str, frozenset[str]]] = {
    "pending": frozenset({"queued", "cancelled"}),
    "queued": frozenset({"running", "cancelled"}),
    "running": frozenset({"succeeded", "failed", "cancelled", "invalid"}),
    **dict.fromkeys(BAD, frozenset({"pending"})),
    "succeeded": frozenset(),
}


class Refused(WeirError):
    """A transition that no rule allows."""


@dataclass(frozen=True)
class Transition:
    """From one state (None: the run is new) to another, and why."""

    old: str | None
    new: str
    reason: str = ""


def _known(step: Transition) -> str | None:
    return None if step.new in STATES else f"{step.new} is not a state"


def _starts_pending(step: Transition) -> str | None:
    if step.old is None and step.new != "pending":
        return "a new run is pending first"
    return None


def _success_stays(step: Transition) -> str | None:
    return "a succeeded run is never run again" if step.old == "succeeded" else None


def _in_order(step: Transition) -> str | None:
    if step.old is None or step.new in NEXT[step.old]:
        return None
    return f"{step.new} does not follow {step.old}"


def _gives_reason(step: Transition) -> str | None:
    if step.new in TROUBLES and not step.reason:
        return f"{step.new} needs a reason"
    return None


RULES: Final[tuple[Callable[[Transition], str | None], ...]] = (
    _known,
    _starts_pending,
    _success_stays,
    _in_order,
    _gives_reason,
)


def now() -> str:
    """The time as ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def move(history: History, new: str, reason: str = "") -> History:
    """The history with one more state. Raises Refused with the rule's reason."""
    step = Transition(history[-1]["state"] if history else None, new, reason)
    for rule in RULES:
        if (refusal := rule(step)) is not None:
            raise Refused(refusal)
    entry = {"state": new, "at": now()}
    if reason:
        entry["reason"] = reason
    return [*history, entry]
