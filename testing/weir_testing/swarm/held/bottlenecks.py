"""The queues of a run, each with its link and the packets that came to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from weir.paths import paths_of
from weir.resolved import Link
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
        assert data.queue is not None
        yield Bottleneck(path["name"], path["downlink"], _of(data.queue, number), shaped)
        if "upstream" in path:
            assert data.upstream is not None
            yield Bottleneck(
                f"{path['name']} upstream", path["upstream"]["link"], _of(data.upstream, number)
            )


def _of(packets: Columns, number: int) -> Columns:
    if "path" not in packets:
        return packets
    own = np.asarray(packets["path"]) == number
    return {name: column[own] for name, column in packets.items()}
