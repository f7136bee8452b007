"""From a campaign to tasks, and its record in the store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from weir_engine import jsonfile
from weir_engine.campaign_record import record
from weir_engine.states import FINISHED, move
from weir_engine.store import Store
from weir_engine.task import Task

if TYPE_CHECKING:
    from weir.expand import Run
    from weir.spec.campaign import Campaign

    from weir_engine.kernels import Kernels

__all__ = ["queued", "tasks", "to_do", "write_record"]


def tasks(campaign: Campaign, runs: Iterable[Run], kernels: Kernels, roles_hash: str) -> list[Task]:
    """A task per run, in the campaign's order."""
    from weir.runkey import run_key  # noqa: PLC0415

    return [
        Task(
            key=run_key(run.experiment, run.seed, kernel.hash, roles_hash),
            campaign=campaign.name,
            levels=dict(run.levels),
            replicate=run.replicate,
            seed=run.seed,
            experiment=run.experiment,
            kernel=None if kernel is kernels.own else kernel,
        )
        for run in runs
        for kernel in [kernels.of(run.experiment)]
    ]


def queued(task: Task, *, replaces: bool = False) -> Task:
    """The task with its history so far. replaces: a finished run of its key is done again."""
    history = move(move([], "pending"), "queued")
    return Task(**{**vars(task), "replaces": replaces, "history": history})


def write_record(store: Store, campaign: Campaign, all_tasks: list[Task]) -> None:
    """campaigns/NAME/campaign.json: the spec and its runs in order; replaces an older one."""
    jsonfile.write_atomic(store.campaign_path(campaign.name), record(campaign, all_tasks))


def to_do(store: Store, all_tasks: list[Task], *, retry_invalid: bool) -> list[Task]:
    """Tasks whose key has no result yet, each key once, queued."""
    states = store.states(task.key for task in all_tasks)
    wanted: dict[str, Task] = {}
    for task in all_tasks:
        state, _ = states[task.key]
        again = state == "invalid" and retry_invalid
        if task.key in wanted or (state in FINISHED and not again):
            continue
        wanted[task.key] = queued(task, replaces=again)
    return list(wanted.values())
