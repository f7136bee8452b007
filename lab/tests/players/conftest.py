"""Fixtures of the tests of kept players."""

from weir_testing.fixtures import kept_players

__all__ = ["kept_players"]
