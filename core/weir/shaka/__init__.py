"""shaka-player as a player: which versions there are, and which settings each one knows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weir.pinned import Pinned

__all__ = ["PINNED", "VERSIONS", "buffer_most_s"]

PINNED = Pinned(Path(__file__).parent, "shaka-player")
VERSIONS = PINNED.versions
"""Oldest first."""


def buffer_most_s(settings: Mapping[str, Any], buffer_s: float) -> float:
    """How much media a player with this tree of settings and this buffer fetches ahead at most."""
    return float(settings.get("streaming", {}).get("bufferingGoal", buffer_s))
