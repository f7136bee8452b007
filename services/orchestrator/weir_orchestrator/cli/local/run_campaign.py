"""`weir run`: carry a campaign out."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine.errors import BadInput, DiskFull
from weir_engine.states import STATES
from weir_engine.store import Store

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    ReplicatesOption,
    SeedOption,
    SetOption,
    StoreOption,
    default_jobs,
    load,
    notes,
    output,
    print_json,
    refuse_unknown_controls,
)
from weir_orchestrator.cli.local.carry_out import carry_out
from weir_orchestrator.cli.local.kernels import build_kernels
from weir_orchestrator.cli.local.progress import Tally, clock
from weir_orchestrator.cli.local.search import tell_search

if TYPE_CHECKING:
    from weir.spec.campaign import Campaign

__all__ = ["ASK_ABOVE", "run"]

ASK_ABOVE = 100_000
_BYTES_PER_RUN = 5_000_000
"""A guess, until there are finished runs to measure."""


def run(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (YAML or JSON).")],
    sets: SetOption = None,
    replicates: ReplicatesOption = None,
    seed: SeedOption = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Runs at a time; 0: one per core.")
    ] = 0,
    store: StoreOption = DEFAULT_STORE,
    wall_limit: Annotated[
        float | None,
        typer.Option("--wall-limit", min=0.1, help="Seconds of wall time a run may take."),
    ] = None,
    retry_invalid: Annotated[
        bool, typer.Option("--retry-invalid", help="Also run again what ended invalid.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before many runs.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Carry out every run of a campaign that has no result yet.

    Can be interrupted at any moment (Ctrl-C: what runs is finished; twice: at once) and started
    again: finished runs are kept and skipped.
    """
    from weir.expand import Expansion  # noqa: PLC0415 - slow to import
    from weir_engine import campaign as campaigns  # noqa: PLC0415
    from weir_engine import provenance  # noqa: PLC0415
    from weir_engine.executor.local import LocalExecutor  # noqa: PLC0415
    from weir_engine.search.most import runs_at_most  # noqa: PLC0415
    from weir_engine.task import Environment, needs_machine  # noqa: PLC0415
    from weir_engine.turns import Turns  # noqa: PLC0415

    loaded = load(campaign, sets, replicates, seed)
    expansion = Expansion(loaded)
    most = runs_at_most(loaded, expansion)
    _ask(loaded, most, yes)
    kernels, roles = build_kernels(expansion.kernels()), provenance.roles()
    make = partial(campaigns.tasks, loaded, kernels=kernels, roles_hash=roles["hash"])
    tasks = make(expansion.runs())
    refuse_unknown_controls((task.experiment, task.kernel or kernels.own) for task in tasks)
    folder = Store(store)
    folder.sweep()
    campaigns.write_record(folder, loaded, tasks)
    environment = Environment(folder.root, kernels.own, roles, wall_limit)
    parallel = jobs or default_jobs()
    if real := [task for task in tasks if needs_machine(task)]:
        parallel = 1
        notes.print("runs on the real clock take the whole machine: one at a time")
        _tell_timers(min(task.experiment["checks"]["timer_lateness_s"] for task in real))
    if loaded.search:
        from weir_engine.search.rounds import Rounds  # noqa: PLC0415

        rounds = Rounds(loaded, make, folder, retry_invalid=retry_invalid)
        notes.print(f"{loaded.name}: a search of at most {most} runs, {parallel} at a time",
                    markup=False)  # fmt: skip
        tally, end = carry_out(
            LocalExecutor(environment, parallel), rounds.to_do(), most, rounds.note
        )
        tasks = rounds.tried()
        campaigns.write_record(folder, loaded, tasks)
        tell_search(rounds)
    else:
        to_do = campaigns.to_do(folder, tasks, retry_invalid=retry_invalid)
        parallel = min(parallel, max(1, len(to_do)))
        _announce(loaded.name, len(tasks), len(to_do), parallel)
        turns = Turns(to_do, parallel)
        tally, end = carry_out(LocalExecutor(environment, parallel), turns, len(to_do), turns.note)
    states = folder.states(task.key for task in tasks)
    counts = Counter(state for state, _ in states.values())
    _summarise(loaded.name, folder, counts, tally, as_json)
    if end == "full":
        left = len(tasks) - counts["succeeded"] - counts["invalid"]
        raise DiskFull(folder.root, left * (folder.size_per_run() or _BYTES_PER_RUN))
    if end == "interrupted" and counts["succeeded"] + counts["invalid"] < len(states):
        return exits.INTERRUPTED
    return exits.OK if counts["succeeded"] == len(states) else exits.NOT_GOOD


def _tell_timers(bound_s: float) -> None:
    from weir_engine.real_clock import expected  # noqa: PLC0415
    from weir_lab.real.timers import late_s  # noqa: PLC0415

    notes.print(f"timers here: {expected(late_s(), bound_s)}", markup=False)


def _ask(loaded: Campaign, runs: int, yes: bool) -> None:
    if runs <= ASK_ABOVE or yes:
        return
    if not notes.is_terminal:
        raise BadInput(
            f"CAMPAIGN: {loaded.name} — has {runs:,} runs; more than {ASK_ABOVE:,} must be "
            "confirmed\n    Give --yes to run them all, or fewer levels or --replicates."
        )
    if not typer.confirm(f"{loaded.name} has {runs:,} runs. Run them all?", err=True):
        raise typer.Exit(exits.BAD_INPUT)


def _announce(name: str, runs: int, to_do: int, jobs: int) -> None:
    kept = f", {runs - to_do} have a result already" if to_do < runs else ""
    how = f"; {to_do} to do, {jobs} at a time" if to_do else "; nothing to do"
    notes.print(f"{name}: {runs} runs{kept}{how}", markup=False)


def _summarise(name: str, folder: Store, counts: Counter[str], tally: Tally, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "campaign": name,
                "store": str(folder.root),
                "counts": {state: counts[state] for state in STATES if counts[state]},
                "done_now": tally.done,
                "film_s": tally.film_s,
                "wall_s": round(tally.wall_s, 3),
                "speedup": round(tally.film_s / tally.wall_s, 2) if tally.done else None,
            }
        )
        return
    told = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    output.print(f"{name}: {told}", markup=False)
    if tally.done:
        speed = tally.film_s / max(tally.wall_s, 1e-3)
        output.print(
            f"{clock(tally.film_s)} of film in {clock(tally.wall_s)} of wall time: "
            f"{speed:.0f} times real time",
            markup=False,
        )
