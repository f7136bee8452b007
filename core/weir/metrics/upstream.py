"""Throughput, loss and queueing at each path's second bottleneck, before that of its gateway."""

from __future__ import annotations

from weir.metrics import bottleneck
from weir.metrics.context import Context
from weir.metrics.info import Value
from weir.metrics.paths import of_path
from weir.paths import paths_of

__all__ = ["INFO", "measure"]

INFO = bottleneck.info("upstream")


def measure(context: Context) -> list[dict[str, str | Value]]:
    """Of each path that has one, in their order: the path's name as "path", where paths are named,
    and what INFO names.
    """
    data = context.data
    found: list[dict[str, str | Value]] = []
    for number, path in enumerate(paths_of(data.experiment)):
        if "upstream" not in path:
            continue
        bins, packets = of_path(data.upstream_10ms, number), of_path(data.upstream, number)
        seconds = of_path(data.upstream_seconds, number)
        measured = bottleneck.measured(context, path["upstream"]["link"], bins, packets, seconds)
        found.append({**({"path": path["name"]} if path["name"] else {}), **measured})
    return found
