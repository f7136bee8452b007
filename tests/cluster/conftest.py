"""Fixtures of the tests on a cluster."""

from weir_testing.cluster.fixtures import cluster, installed

__all__ = ["cluster", "installed"]
