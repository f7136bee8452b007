"""`weir validate`: is this campaign file right, and how much is it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir_orchestrator.cli.common import (
    JsonOption,
    ReplicatesOption,
    SeedOption,
    SetOption,
    built_kernel,
    load,
    output,
    print_json,
    refuse_unknown_controls,
)
from weir_orchestrator.cli.local.progress import clock

__all__ = ["validate"]

_EXPAND_AT_MOST = 100_000


def validate(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (YAML or JSON).")],
    sets: SetOption = None,
    replicates: ReplicatesOption = None,
    seed: SeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a campaign file; nothing is run or written."""
    from weir.expand import Expansion  # noqa: PLC0415 - slow to import
    from weir.notes import notes  # noqa: PLC0415
    from weir_engine.search.most import runs_at_most  # noqa: PLC0415

    loaded = load(campaign, sets, replicates, seed)
    expansion = Expansion(loaded)
    runs = runs_at_most(loaded, expansion)
    film_s, told = None, dict[str, None]()
    if runs <= _EXPAND_AT_MOST:
        expanded = list(expansion.runs())
        film_s = sum(run.experiment["duration_s"] for run in expanded) * runs / len(expanded)
        told = dict.fromkeys(note for run in expanded for note in notes(run.experiment))
        if kernel := built_kernel():
            experiments = (run.experiment for run in expanded)
            # What a changed kernel has is known when it is built.
            refuse_unknown_controls((e, kernel) for e in experiments if "kernel" not in e)
        else:
            told["no lab kernel is built yet, so congestion controls were not checked"] = None
    if as_json:
        print_json({"name": loaded.name, "runs": runs, "film_s": film_s, "valid": True,
                    "notes": [*told]})  # fmt: skip
        return
    film = f", {clock(film_s)} of film" if film_s is not None else ""
    noun = "run" if runs == 1 else "runs"
    most = "at most " if loaded.search else ""
    output.print(f"{loaded.name}: valid, {most}{runs:,} {noun}{film}", markup=False)
    for note in told:
        output.print(f"note: {note}", markup=False)
