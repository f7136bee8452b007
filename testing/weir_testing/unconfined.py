"""Shipped campaigns' first runs, carried out as `weir run` does, confined or not at all."""

from __future__ import annotations

import math
from collections import deque
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weir.expand import Expansion
from weir.spec.load import load_campaign
from weir_engine import campaign, provenance
from weir_engine.executor.local import LocalExecutor
from weir_engine.executor.spawn import PROGRAM, ForkServer
from weir_engine.kernels import Kernels
from weir_engine.store import Store
from weir_engine.task import Environment, Task
from weir_lab.kernel import Kernel

from weir_testing.checkout import shipped_campaigns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SHIPPED", "first_run", "machine"]

SHIPPED: Final = shipped_campaigns()
_NOT_CONFINED: Final = (
    "from weir_lab import confine; confine.Confinement.enter = lambda self: None; "
)
"""Before a fork server's own program: its children inherit what it has become."""


def first_run(file: Path, kernel: Kernel, at_most_s: float = math.inf) -> Task:
    """The first run of a campaign file; at_most_s: where its film is cut."""
    loaded = load_campaign(file)
    first = next(Expansion(loaded).runs())
    first.experiment["duration_s"] = min(first.experiment["duration_s"], at_most_s)
    return campaign.tasks(loaded, [first], Kernels(kernel), provenance.roles()["hash"])[0]


@contextmanager
def machine(kernel: Kernel, store: Path, *, confined: bool = True) -> Iterator[Callable[..., Path]]:
    """`carry_out(task, cut=False)`: its run directory; one fork server carries out all of them.

    What has the same key as a run before is not carried out again. Raises AssertionError where a
    run did not succeed. cut: invalid will do, for a film that is cut may be too short for a check
    of its mean rates. confined: else runs, and their lab kernels, hold all rights of this process.
    """
    waiting = deque[Task]()

    def tasks() -> Iterator[Task | None]:
        while True:
            yield waiting.popleft() if waiting else None

    def carry_out(task: Task, *, cut: bool = False) -> Path:
        waiting.extend(campaign.to_do(Store(store), [task], retry_invalid=False))
        if waiting:
            ended = next(update for update in updates if update.state != "running")
            sound = ended.state == "succeeded" or (cut and ended.state == "invalid")
            assert sound, ended.reason
        return Store(store).run_path(task.key)

    program = PROGRAM if confined else _NOT_CONFINED + PROGRAM
    environment = Environment(store, kernel, provenance.roles())
    executor = LocalExecutor(environment, 1, partial(ForkServer, program=program))
    updates = executor.execute(tasks())
    try:
        yield carry_out
    finally:
        executor.kill()
        assert list(updates) == []
