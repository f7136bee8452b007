"""A rule that did not hold."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Broken"]


@dataclass(frozen=True)
class Broken:
    """rule: its name, the same for all that is alike; said: where, and by how much."""

    rule: str
    said: str
