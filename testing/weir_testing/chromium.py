"""Chromium as a player, for tests."""

from __future__ import annotations

import pytest
from weir_lab.players import browser

__all__ = ["needs_chromium"]

needs_chromium = pytest.mark.skipif(
    not browser.is_there(), reason="chromium-headless-shell is not installed"
)
