"""Cells on the real clock, in one lab kernel or in one for each host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from weir.resolved import Experiment
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.real.remote import Address

from weir_testing.agents import SECRET, agents
from weir_testing.cells import kernel
from weir_testing.patience import PATIENCE_S

ONE_KERNEL: Final = "one kernel"
A_KERNEL_EACH: Final = "a kernel each"


def run_in(kernels: str, asked: Experiment, folder: Path) -> CellResult:
    """One run. kernels: ONE_KERNEL or A_KERNEL_EACH. folder: empty. Raises RunFailure."""
    if kernels == ONE_KERNEL:
        return run_cell(asked, 1, kernel(), folder, PATIENCE_S)
    with apart(folder, clients=len(asked["clients"])) as where:
        return run_cell(asked, 1, kernel(), folder, PATIENCE_S, agents=where)


@contextmanager
def apart(folder: Path, clients: int = 1) -> Iterator[dict[str, Address]]:
    """Where agents are that stand by themselves, one for each host of a cell."""
    roles = dict.fromkeys((f"client{number}" for number in range(1, clients + 1)), "client")
    with agents(folder, server="server", gateway="gateway", **roles) as made:
        yield {host: Address(agent.url, SECRET) for host, agent in made.items()}
