"""Property tests draw the same examples everywhere, and no busy machine fails them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("weir", derandomize=True, deadline=None)
settings.load_profile("weir")
