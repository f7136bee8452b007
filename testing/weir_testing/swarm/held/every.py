"""All rules."""

from __future__ import annotations

from weir.rundir import RunData

from weir_testing.swarm.held import checks, links, playback, records, transport
from weir_testing.swarm.held.broken import Broken

__all__ = ["all_broken"]

_RULES = [
    checks.kept,
    records.agree,
    links.carry_their_rate,
    links.hold_their_limit,
    links.count_what_waits,
    transport.takes_its_round_trip,
    transport.carries_what_came,
    playback.adds_up,
    playback.moves_on,
]


def all_broken(data: RunData) -> list[Broken]:
    """Of a run on the virtual clock with all records."""
    return [broken for rule in _RULES for broken in rule(data)]
