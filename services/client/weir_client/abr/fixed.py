"""fixed: one level for the whole session, to hold the adaptation still."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from weir_client.state import State


class Fixed:
    """Always the level asked for."""

    def __init__(self, ladder: Sequence[float], options: dict[str, Any]) -> None:
        self._level: int = options["level"]

    def choose(self, state: State) -> int:
        """Return the level asked for."""
        return self._level
