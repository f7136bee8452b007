"""Fixtures of the end-to-end tests."""

from weir_testing.fixtures import kernel, run, run_once, server, signed_in

__all__ = ["kernel", "run", "run_once", "server", "signed_in"]
