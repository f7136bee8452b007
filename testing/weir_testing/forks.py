"""Zygotes and their forks, for tests: with an experiment's own roles, or a shell in one's place."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from weir.resolved import Experiment
from weir_engine.executor.zygotes import Chosen, lent_by
from weir_lab import boot, plan, virtual
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.forked import Lent
from weir_lab.guest.plan import dumped
from weir_lab.kernel import Kernel
from weir_lab.zygote import Zygote

from weir_testing import processes
from weir_testing.patience import PATIENCE_S

__all__ = [
    "helper_of",
    "lent_by_zygote",
    "lent_to_this",
    "run_by",
    "said_by",
    "zygote_and_folder",
    "zygote_for",
]


def zygote_for(kernel: Kernel, asked: Experiment, runs: Path) -> Zygote:
    """One that forks runs of the experiment, with folders in `runs`."""
    return Zygote(virtual.shape(asked, plan.make(asked, 0), kernel), runs)


@contextmanager
def zygote_and_folder(kernel: Kernel, asked: Experiment) -> Iterator[tuple[Zygote, Path]]:
    """One that forks runs of the experiment in the block, and an empty folder for their own."""
    with (
        tempfile.TemporaryDirectory() as runs,
        closing(zygote_for(kernel, asked, Path(runs))) as zygote,
    ):
        yield zygote, Path(runs)


def helper_of(zygote: int) -> int:
    """The process that forks, of a zygote that waits."""
    (helper,) = [pid for pid in processes.children(zygote) if processes.name(pid) == "linux"]
    return helper


def lent_by_zygote(zygote: Zygote, asked: Experiment, seed: int) -> Lent:
    """What a run is forked by, by a zygote of its shape."""
    return Lent(plan.make(asked, seed), zygote.line())


@contextmanager
def lent_to_this(choice: Chosen, work: Path) -> Iterator[tuple[Path, Lent]]:
    """The folder of a run that this process carries out in the block, and what it is lent. The
    folder is found at `work`, too, and after the block there alone."""
    with lent_by(choice, work, None) as (within, lent):
        assert lent is not None
        # A run closes what it is ordered by; an executor's is another process, and has its own.
        with lent.line.dup() as own:
            yield within, Lent(lent.plan, own)


def run_by(
    zygote: Zygote, kernel: Kernel, asked: Experiment, seed: int, folder: Path
) -> CellResult:
    """`run_cell` by the zygote. folder: not there yet."""
    folder.mkdir()
    lent = lent_by_zygote(zygote, asked, seed)
    return run_cell(asked, seed, kernel, folder, PATIENCE_S, lent=lent)


def said_by(
    script: str,
    kernel: Kernel,
    asked: Experiment,
    folder: Path,
    zygote: Zygote | None = None,
    group: int | None = None,
) -> str:
    """What the guest's console says where its first client is this shell script, run by root.

    group: as in `Zygote.line`.
    """
    folder.mkdir()
    cell = plan.make(asked, 1)
    how = virtual.prepared(asked, 1, cell, folder)
    roles: list[Any] = [role for role in cell["roles"] if role["host"] != "client1"]
    roles.append(
        {
            "host": "client1",
            "module": "subprocess",
            "args": {"args": ["sh", "-c", script]},
            "awaited": True,
        }
    )
    cell["roles"] = roles
    (folder / "plan.marshal").write_bytes(dumped(cell))
    line = None if zygote is None else zygote.line(group)
    return boot.run(kernel, how, folder, PATIENCE_S, line)
