"""ABR algorithms, one per file, found by name; only the one that is used gets imported.

An algorithm is a class with one method; docs/abr.md shows how to write one:

    class Abr:
        def __init__(self, ladder, options): ...    # ladder: bit/s, ascending; options: a dict
        def choose(self, state) -> int: ...         # a level; state: weir_client.state.State

It may have an attribute `estimate_bps` (its smoothed throughput estimate or None, logged with
each segment) and a method `delay_s(state)`: called right after choose(), it returns how many
seconds to wait before that segment is asked for.
"""

from __future__ import annotations

from weir_client.errors import AbrError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from weir.resolved import ClientSource

    from weir_client.state import State

    class Abr(Protocol):
        """What the player needs; `estimate_bps` and `delay_s` are looked for at run time."""

        def choose(self, state: State) -> int:
            """Return the level for state.segment."""


# Name in an experiment -> module and class in this package.
REGISTRY = {
    "aggressive-rate": ("aggressive_rate", "AggressiveRate"),
    "bba0": ("bba0", "Bba0"),
    "bba1": ("bba1", "Bba1"),
    "bba2": ("bba2", "Bba2"),
    "bba3": ("bba3", "Bba3"),
    "bola": ("bola", "Bola"),
    "classic1": ("classic1", "Classic1"),
    "classic2": ("classic2", "Classic2"),
    "dashjs-throughput": ("dashjs_throughput", "DashjsThroughput"),
    "dynamic": ("dynamic", "Dynamic"),
    "festive": ("festive", "Festive"),
    "fixed": ("fixed", "Fixed"),
}


def make(
    player: str,
    source: ClientSource | None,
    options: dict[str, Any],
    ladder: Sequence[float],
    number: int,
) -> Abr:
    """The ABR of client `number` (1-based): shipped, or the user's own. Raises AbrError.

    options: of a shipped one all that weir.spec.players has, since nothing completes them here.
    """
    if source is not None:
        from weir_client.abr.user import UserAbr  # noqa: PLC0415 (only where it is used)

        return UserAbr(source, ladder, options, number)
    made: Abr = getattr(_module(player), REGISTRY[player][1])(ladder, options)
    return made


def highest_within(ladder: Sequence[float], rate_bps: float) -> int:
    """The highest level whose rate is at most rate_bps; 0 if none is."""
    level = 0
    for i, rate in enumerate(ladder):
        if rate <= rate_bps:
            level = i
    return level


def _module(name: str) -> Any:
    if name not in REGISTRY:
        raise AbrError(f"there is no player {name!r}; there are: {', '.join(REGISTRY)}")
    module = "weir_client.abr." + REGISTRY[name][0]
    return __import__(module, fromlist=["*"])  # importlib is one import more
