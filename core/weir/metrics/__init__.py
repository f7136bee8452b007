"""Metrics: pure functions from a run's records to named numbers. See docs/metrics.md."""

from weir.metrics.compute import CATALOG, PARTS, Metrics, compute
from weir.metrics.info import MetricInfo, Value

__all__ = ["CATALOG", "PARTS", "MetricInfo", "Metrics", "Value", "compute"]
