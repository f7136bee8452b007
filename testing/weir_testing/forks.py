"""Zygotes and their forks, for tests: with an experiment's own roles, or a shell in one's place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from weir.resolved import Experiment
from weir_engine.executor.zygotes import lent
from weir_lab import boot, forked, plan, virtual
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.guest.plan import dumped
from weir_lab.kernel import Kernel
from weir_lab.zygote import Zygote
from weir_lab.zygotes import Warm

from weir_testing.patience import PATIENCE_S

__all__ = ["lent_to_this", "order_by", "run_by", "said_by", "zygote_for"]


def zygote_for(kernel: Kernel, asked: Experiment, runs: Path) -> Zygote:
    """One that forks runs of the experiment, with folders in `runs`."""
    return Zygote(virtual.shape(asked, kernel), runs)


def order_by(zygote: Zygote) -> None:
    """Have this process's next run forked by it."""
    os.environ[forked.LINE] = str(zygote.line().detach())


@contextmanager
def lent_to_this(warm: Warm, work: Path) -> Iterator[Path]:
    """The folder of this process's next run, which is to be carried out in the block. It is found
    at `work`, too, and after the block there alone."""
    with lent(warm, work, None) as (within, line):
        assert line is not None
        os.environ[forked.LINE] = str(os.dup(line.fileno()))
        try:
            yield within
        finally:
            with suppress(KeyError):  # taken by the run
                os.close(int(os.environ.pop(forked.LINE)))


def run_by(
    zygote: Zygote, kernel: Kernel, asked: Experiment, seed: int, folder: Path
) -> CellResult:
    """`run_cell` by a line to the zygote. folder: not there yet."""
    folder.mkdir()
    order_by(zygote)
    return run_cell(asked, seed, kernel, folder, PATIENCE_S)


def said_by(
    script: str, kernel: Kernel, asked: Experiment, folder: Path, zygote: Zygote | None = None
) -> str:
    """What the guest's console says where its first client is this shell script, run by root."""
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
    if zygote is not None:
        order_by(zygote)
    return boot.run(kernel, how, folder, PATIENCE_S)
