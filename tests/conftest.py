"""Fixtures of the end-to-end tests."""

from weir_testing.fixtures import compose, kernel, run, run_once, server, signed_in, weir

__all__ = ["compose", "kernel", "run", "run_once", "server", "signed_in", "weir"]
