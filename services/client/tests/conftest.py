"""Fixtures of the client's tests."""

from weir_testing.fixtures import kept_players
from weir_testing.nginx import nginx

__all__ = ["kept_players", "nginx"]
