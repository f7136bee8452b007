"""The queues of a run, each with its link and the packets that came to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir.metrics.paths import of_path
from weir.paths import paths_of
from weir.resolved_network import Link
from weir.rundir import Columns, RunData

__all__ = ["Bottleneck", "bottlenecks"]


@dataclass(frozen=True)
class Bottleneck:
    """name: of its path, and whether upstream. packets: rows of queue.parquet."""

    name: str
    link: Link
    packets: Columns
    shaped: bool = False


def bottlenecks(data: RunData) -> Iterator[Bottleneck]:
    """Of every path, and upstream of it where there is one."""
    shaped = data.experiment["gateway"]["shaping"]["method"] == "htbm"
    for number, path in enumerate(paths_of(data.experiment)):
        packets = of_path(data.queue, number)
        assert packets is not None
        yield Bottleneck(path["name"], path["downlink"], packets, shaped)
        if "upstream" in path:
            packets = of_path(data.upstream, number)
            assert packets is not None
            yield Bottleneck(f"{path['name']} upstream", path["upstream"]["link"], packets)
