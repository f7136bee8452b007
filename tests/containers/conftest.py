"""Fixtures of the tests of the platform in containers."""

from weir_testing.fixtures import compose, weir

__all__ = ["compose", "weir"]
