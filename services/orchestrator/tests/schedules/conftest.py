"""Campaigns with results that are nights of a schedule."""

from weir_testing.platform.nights import after, before

__all__ = ["after", "before"]
