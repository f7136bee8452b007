"""Fixtures of the gym's tests."""

from weir_testing.fixtures import kernel

__all__ = ["kernel"]
