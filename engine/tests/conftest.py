"""Fixtures of the engine's tests."""

from weir_testing.stand_in.fixtures import campaign_file, environment, kernel, store_path

__all__ = ["campaign_file", "environment", "kernel", "store_path"]
