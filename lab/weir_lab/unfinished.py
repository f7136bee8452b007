"""What a cell left that did not get to its end: of each record as much as can be read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.resolved import Experiment
from weir.rundir import RunData

from weir_lab import plan, record, traffic
from weir_lab.collect import collect_unfinished, traceback_left

__all__ = ["Unfinished", "so_far", "unfinished"]

MOST_RECORD_BYTES: Final = 256 << 20
"""Five million packets and ACKs: tables of about 32 MiB."""


@dataclass(frozen=True)
class Unfinished:
    """traceback: where clients' own code went wrong, as Python tells it; may be empty."""

    data: RunData
    traceback: str


def unfinished(experiment: Experiment, seed: int, folder: Path) -> Unfinished:
    """What `weir_lab.cell.run_cell` left in `folder` when it raised, for the same arguments.

    Of the real clock's hosts without what the kernels recorded: when its second 0 was, is known of
    kernels that got to their end. A record of more than MOST_RECORD_BYTES is left out: a run that
    failed is not to take longer for it. Raises RunFailure, OSError, ValueError for a record that
    cannot be read.
    """
    if experiment["clock"] != "virtual":
        from weir_lab.real.merge import gather  # noqa: PLC0415 - on the real clock only

        gather(folder)
    data = so_far(experiment, seed, folder, MOST_RECORD_BYTES)
    return Unfinished(data, traceback_left(experiment, folder))


def so_far(experiment: Experiment, seed: int, folder: Path, most_record_bytes: int) -> RunData:
    """What stands in `folder` of a cell that may still go on. Arguments and errors: `unfinished`.

    On the real clock that is what players have said (`weir_lab.real.conduct`).
    """
    virtual = experiment["clock"] == "virtual"
    epoch_s = plan.make(experiment, seed)["epoch_s"] if virtual else 0.0
    path = folder / "record.bin"
    if os.path.lexists(path) and path.lstat().st_size > most_record_bytes:
        path = folder / "none"
    seen = record.read([(path, epoch_s)], traffic.flows(experiment), unfinished=True)
    return collect_unfinished(experiment, folder, seen)
