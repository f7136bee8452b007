"""The versions of dash.js that can play."""

from __future__ import annotations

from pathlib import Path

from weir.pinned import Pinned

__all__ = ["PINNED", "VERSIONS"]

PINNED = Pinned(Path(__file__).parent, "dashjs")
VERSIONS = PINNED.versions
"""Oldest first."""
