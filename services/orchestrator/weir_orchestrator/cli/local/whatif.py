"""`weir whatif`: the same run with one thing changed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from weir.errors import Problem, SpecError

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    default_jobs,
    output,
    print_json,
)
from weir_orchestrator.cli.local.original import opened

if TYPE_CHECKING:
    from weir.resolved import Experiment
    from weir_engine.parting import Parting
    from weir_engine.whatif.compared import Beside
    from weir_engine.whatif.original import Original

__all__ = ["whatif"]

_WHAT = "what if"


def whatif(
    run: Annotated[str, typer.Argument(help="Run key, its beginning, or a run directory.")],
    client: Annotated[int, typer.Option("--client", help="Whose decision; the first is 1.")] = 1,
    segment: Annotated[
        int | None, typer.Option("--segment", help="Of the film; the first is 0.")
    ] = None,
    level: Annotated[
        int | None, typer.Option("--level", help="That it plays there; the lowest is 0.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="From when on --set holds: 24s.")
    ] = None,
    set_: Annotated[
        str | None,
        typer.Option(
            "--set", metavar="PATH=VALUE", help="A rate, RTT or loss: gateway.downlink.rate=4Mbit/s"
        ),
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Carry a run out again with one decision of a client's changed, or one condition from a
    moment on, and put both beside each other.

    Until then both have the same bytes: a condition is held against the run in which the gateway
    sets what holds already at that moment, as a program that waits there is not free. The new runs
    are ones like any other: `weir show`, `weir diff` and `weir replay` take them.
    """
    from weir_engine.whatif.compared import beside, first_parting  # noqa: PLC0415 - heavy

    decision = segment is not None or level is not None
    _require_one(decision, at, set_, segment, level)
    bench = opened(run, store, default_jobs())
    if segment is not None and level is not None:
        what = f"client {client}, segment {segment}: level {level}"
        tasks = [bench.task(_decided(bench.base, client, segment, level), {_WHAT: what})]
    else:
        what = f"from {at} on {set_}"
        as_it_was, after = _changed(bench.base, at or "", set_ or "")
        tasks = [
            bench.task(as_it_was, {_WHAT: f"from {at} on as it was"}),
            bench.task(after, {_WHAT: what}),
        ]
    base, other = [bench.base, *bench.have(*tasks)][-2:]
    compared, parting = beside(base, other), first_parting(base, other)
    if as_json:
        print_json(
            {
                "what": what,
                "original": _named(base),
                "whatif": _named(other),
                "parting": asdict(parting) if parting else None,
                "metrics": [asdict(each) for each in compared],
            }
        )
        return
    _print(base, other, what, compared, parting)


def _require_one(
    decision: bool, at: str | None, set_: str | None, segment: int | None, level: int | None
) -> None:
    condition = at is not None or set_ is not None
    both = "--segment and --level, or --at and --set"
    if decision == condition:
        said = "both" if decision else None
        raise SpecError([Problem("whatif", said, both, "give one of the two pairs")])
    for name, value, beside in (
        ("--segment", segment, decision),
        ("--level", level, decision),
        ("--at", at, condition),
        ("--set", set_, condition),
    ):
        if beside and value is None:
            raise SpecError([Problem(name, None, both, "it is missing; give it")])


def _decided(base: Original, client: int, segment: int, level: int) -> Experiment:
    from weir.whatif import decided  # noqa: PLC0415 - slow to import

    experiment = decided(base.experiment, client, {segment: level})
    base.require_asked(client, segment)
    return experiment


def _changed(base: Original, at: str, set_: str) -> tuple[Experiment, Experiment]:
    """With what holds already set at that moment, which is the run to compare with, and changed."""
    from weir.spec.overriding import parse_override  # noqa: PLC0415 - slow to import
    from weir.units import BadQuantity, duration_s  # noqa: PLC0415
    from weir.whatif import changed, unchanged  # noqa: PLC0415

    try:
        at_s = duration_s(at)
    except BadQuantity as error:
        raise SpecError([Problem("--at", at, error.allowed, error.remedy)]) from None
    place, value = parse_override(set_)
    after = changed(base.experiment, at_s, place, value)
    return unchanged(base.experiment, at_s, place), after


def _named(run: Original) -> dict[str, str]:
    return {
        "key": run.document["key"],
        "path": str(run.folder),
        "outcome": run.document["outcome"],
        "reason": run.document["reason"],
    }


def _print(
    base: Original, other: Original, what: str, compared: list[Beside], parting: Parting | None
) -> None:
    output.print(f"what if {what}", markup=False)
    if parting is None:
        output.print("the same run: nothing that was recorded differs")
    else:
        record = parting.record
        if parting.client is not None:
            record += f", client {parting.client}"
        output.print(f"they part at {parting.t_s:.6f} s ({record}, row {parting.row})")
    table = Table("client", "metric", box=None, pad_edge=False, header_style="bold")
    for name in ("was", "what if", "change"):
        table.add_column(name, justify="right")
    for each in compared:
        was, now = each.original, each.whatif
        change = "" if was is None or now is None else f"{now - was:+.6g}"
        table.add_row(str(each.client), each.metric, _number(was), _number(now), change)
    output.print(table)
    for name, run in (("was", base), ("what if", other)):
        document = run.document
        told = "" if document["outcome"] == "succeeded" else f"  invalid: {document['reason']}"
        output.print(f"{name:<8} {run.folder}{told}", markup=False)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"
