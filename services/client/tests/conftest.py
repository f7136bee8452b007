"""Fixtures of the client's tests."""

from weir_testing.nginx import nginx

__all__ = ["nginx"]
