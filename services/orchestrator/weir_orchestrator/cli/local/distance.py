"""`weir distance`: how far a campaign's numbers are from all of a paper's tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from weir_engine import rows
from weir_engine.errors import BadInput
from weir_engine.levels import short
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    load,
    output,
    print_json,
)

if TYPE_CHECKING:
    from weir_engine.report.distance import Distance, Tables

__all__ = ["distance"]


def distance(
    campaign: Annotated[Path, typer.Argument(help="Campaign file that names a paper.")],
    over: Annotated[
        list[str] | None,
        typer.Option(
            "--over",
            metavar="FACTOR=LEVEL,LEVEL",
            help="Average over these levels, as what varied by chance. Repeatable.",
        ),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Rows to show.")] = 20,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Rank what a campaign assumes beside a paper's factors by the distance to its tables.

    0: every number as printed; 1: no nearer than the tables' own means (docs/findings.md).
    """
    from weir.spec.paper_load import load_paper  # noqa: PLC0415 - slow to import
    from weir_engine.report.build import build  # noqa: PLC0415
    from weir_engine.report.distance import distances, neighbours  # noqa: PLC0415

    asked = load(campaign)
    if asked.paper_path is None:
        raise BadInput(f"CAMPAIGN: {campaign} — it names no paper\n    Add `paper: FILE` to it.")
    folder = Store(store)
    record = folder.read_campaign(asked.name)
    report = build(record, rows.read(folder, record), None, load_paper(asked.paper_path))
    found = distances(report, dict(_over(each) for each in over or []))
    beside = neighbours(found)
    if as_json:
        print_json(
            {
                "distances": [_as_json(one) for one in found.distances],
                "incomplete": found.incomplete,
                "neighbours": [{"factor": name, **_as_json(one)} for name, one in beside],
            }
        )
        return
    _print(found, beside, most)


def _over(asked: str) -> tuple[str, list[str]]:
    factor, equals, levels = asked.partition("=")
    if not equals or not levels:
        raise BadInput(f"--over: {asked} — write FACTOR=LEVEL,LEVEL")
    return factor, levels.split(",")


def _print(found: Tables, beside: list[tuple[str, Distance]], most: int) -> None:
    if found.incomplete:
        told = "combinations lack a cell of the tables and are left out"
        output.print(f"{found.incomplete} {told}", markup=False)
    if not found.distances:
        return
    nearest = found.distances[0]
    made = Table(box=None, pad_edge=False, header_style="bold")
    for factor in nearest.levels:
        made.add_column(short(factor))
    made.add_column("distance", justify="right")
    for metric, rank in nearest.tables:
        name = metric.removesuffix("_percent").removesuffix("_s").replace("_", "\n")
        made.add_column(name if rank is None else f"{name}\n{rank}", justify="right")
    made.add_column("runs", justify="right")
    for one in found.distances[:most]:
        cells = [f"{value:.2f}" for value in (one.total, *one.tables.values())]
        made.add_row(*one.levels.values(), *cells, str(one.runs))
    output.print(made)
    if beside:
        output.print("\nnearest, and what one other assumption makes of it", style="bold")
        change = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("factor", "instead of", "level"):
            change.add_column(name)
        change.add_column("distance", justify="right")
        for factor, one in beside:
            levels = nearest.levels[factor], one.levels[factor]
            change.add_row(short(factor), *levels, f"{one.total:.2f}")
        output.print(change)


def _as_json(one: Distance) -> dict[str, Any]:
    tables = [
        {"metric": metric, "client": rank, "distance": value}
        for (metric, rank), value in one.tables.items()
    ]
    return {"levels": one.levels, "distance": one.total, "tables": tables, "runs": one.runs}
