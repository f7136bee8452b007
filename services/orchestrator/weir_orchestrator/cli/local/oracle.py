"""`weir oracle`: the best levels that a client could have played, and so what its ABR gave away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    default_jobs,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.local.original import opened

if TYPE_CHECKING:
    from weir_engine.whatif.looking import Looking
    from weir_engine.whatif.original import Original

__all__ = ["oracle"]


def oracle(
    run: Annotated[str, typer.Argument(help="Run key, its beginning, or a run directory.")],
    client: Annotated[int, typer.Option("--client", help="Whose levels; the first is 1.")] = 1,
    qoe: Annotated[
        str, typer.Option("--qoe", help="The client's metric that is to be best.")
    ] = "qoe_pensieve",
    runs: Annotated[int, typer.Option("--runs", min=1, help="At most so many what-ifs.")] = 120,
    beam: Annotated[
        int, typer.Option("--beam", min=1, max=100, help="Sequences that are gone on with.")
    ] = 2,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Runs at a time; 0: one per core.")
    ] = 0,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Look for the sequence of levels with the best QoE, by beam search over what-ifs of a run.

    Each is carried out as the run itself was, through the same TCP and beside the same others, who
    answer to it. The regret is what the client's ABR gave away against the best that was tried: at
    least that. Started again, it goes on from the runs that are there.
    """
    from weir_engine.whatif.looking import Looking, require_qoe  # noqa: PLC0415 - heavy

    require_qoe(qoe)
    bench = opened(run, store, jobs or default_jobs())
    kernel = bench.environment.kernel
    assert kernel is not None
    looking = Looking(
        bench.base, client, qoe, width=beam, runs=runs, store=bench.store, kernel=kernel,
        roles_hash=bench.environment.roles["hash"],
    )  # fmt: skip
    bench.do(looking.to_do(), runs, looking.note)
    if looking.unsuccessful:
        notes.print(f"{len(looking.unsuccessful)} of the runs did not succeed and were left out")
    best = bench.base
    if looking.best is not looking.own:
        (best,) = bench.have(looking.best_task())
    _tell(looking, bench.base, best, client, qoe, as_json)


def _tell(
    looking: Looking, base: Original, best: Original, client: int, qoe: str, as_json: bool
) -> None:
    own, found = looking.value(looking.own), looking.value(looking.best)
    if as_json:
        print_json(
            {
                "client": client,
                "qoe": qoe,
                "own": own,
                "best": found,
                "regret": abs(found - own),
                "runs": len(looking.runs),
                "unsuccessful": looking.unsuccessful,
                "own_levels": looking.own.played,
                "best_levels": looking.best.played,
                "own_path": str(base.folder),
                "best_path": str(best.folder),
            }
        )
        return
    output.print(f"own   {_levels(looking.own.played)}", markup=False)
    output.print(f"best  {_levels(looking.best.played)}", markup=False)
    output.print(
        f"{qoe}: {own:.6g}, best {found:.6g}: a regret of at least {abs(found - own):.6g} "
        f"by {len(looking.runs)} what-ifs",
        markup=False,
    )
    output.print(f"own   {base.folder}\nbest  {best.folder}", markup=False)


def _levels(played: tuple[int, ...]) -> str:
    """`0 0 3*12 2`: runs of three or more equal levels together."""
    words: list[str] = []
    at = 0
    while at < len(played):
        end = at
        while end < len(played) and played[end] == played[at]:
            end += 1
        equal = end - at
        words += [f"{played[at]}*{equal}"] if equal > 2 else [str(played[at])] * equal
        at = end
    return " ".join(words)
