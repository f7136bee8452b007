"""What a run that still goes on has recorded so far, written beside it for others to draw.

Players write a row for each segment that has come. On the virtual clock the record of TCP and of
the queue grows, too, a buffer of the recorder at a time. Other roles write at their end. Reading it
costs host time only, and at most 1 / PAUSE of a core.
"""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weir.errors import WeirError

from weir_engine.task import Task

if TYPE_CHECKING:
    from weir.rundir import Columns, RunData

__all__ = ["SO_FAR", "writing_so_far"]

SO_FAR: Final = "so-far"
_IS_WRITTEN: Final = re.compile(r"record\.bin|client-[0-9]+")
_PAUSE: Final = 50
"""After each look, so many times as long as it took: two per cent of a core."""
_MOST_RECORD_BYTES: Final = 64 << 20
"""1.4 million packets and ACKs: tables of about 8 MiB. Of more, what was written last stays."""


@contextmanager
def writing_so_far(task: Task, every_s: float | None, cell: Path) -> Iterator[None]:
    """Meanwhile, write what is recorded in `cell` to the folder SO_FAR beside it, now and then.

    every_s: not before the cell has run for so long, and not more often; None: never. The folder
    is replaced as a whole. It holds the tables of a run directory, up to what was recorded last.
    """
    if every_s is None:
        yield
        return
    over = threading.Event()
    told = (task, every_s, cell, over)
    thread = threading.Thread(target=_write_now_and_then, args=told, name="so-far", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _write_now_and_then(task: Task, every_s: float, cell: Path, over: threading.Event) -> None:
    pause_s, seen_bytes = every_s, 0
    while not over.wait(pause_s):
        size_bytes = _written_bytes(cell)
        if size_bytes and not seen_bytes:
            _import()
        began_s = time.thread_time()
        if seen_bytes < size_bytes and _write(task, cell):
            seen_bytes = size_bytes
        pause_s = max(every_s, _PAUSE * (time.thread_time() - began_s))


def _import() -> None:
    """What a look needs, once: it takes longer than the look."""
    import weir.rundir  # noqa: F401, PLC0415 - heavy: only in the run's process
    import weir_lab.unfinished  # noqa: F401, PLC0415 - by runs of minutes only


def _written_bytes(cell: Path) -> int:
    """Of the recorder and of all players."""
    return sum(path.lstat().st_size for path in cell.iterdir() if _IS_WRITTEN.fullmatch(path.name))


def _write(task: Task, cell: Path) -> bool:
    """Whether it could be read, and there was room for it."""
    from weir import rundir  # noqa: PLC0415 - heavy: only in the run's process
    from weir_lab.unfinished import so_far  # noqa: PLC0415 - by runs of minutes only

    out, new = cell.with_name(SO_FAR), cell.with_name(f"{SO_FAR}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        found = so_far(task.experiment, task.seed, cell, _MOST_RECORD_BYTES)
        rundir.save(new, _ended_now(found))
        if _is_too_large(cell / "record.bin"):
            _keep(out, new)
        shutil.rmtree(out, ignore_errors=True)
        new.rename(out)
    except (WeirError, OSError, ValueError):
        shutil.rmtree(new, ignore_errors=True)
        return False
    return True


def _is_too_large(record: Path) -> bool:
    return record.exists() and record.lstat().st_size > _MOST_RECORD_BYTES


def _keep(out: Path, new: Path) -> None:
    """Of what was written last, all but what players have done: what is new says no more."""
    for path in out.glob("*.*"):
        path.replace(new / path.name)


def _ended_now(data: RunData) -> RunData:
    """Without the bins after the last one in which anything happened: they are still to come."""
    for bins in filter(None, (data.queue_10ms, data.upstream_10ms)):
        _cut(bins)
    return data


def _cut(bins: Columns) -> None:
    busy = (bins["sent_packets"] > 0) | (bins["dropped"] > 0) | (bins["backlog_max"] > 0)
    until_ns = bins["t_ns"][busy].max(initial=-1)
    kept = bins["t_ns"] <= until_ns
    for name in list(bins):
        bins[name] = bins[name][kept]
