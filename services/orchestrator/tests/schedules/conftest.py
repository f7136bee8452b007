"""Campaigns with results that are nights of a schedule, and where their subjects are."""

from weir_testing.git_server import server
from weir_testing.platform.nights import after, before

__all__ = ["after", "before", "server"]
