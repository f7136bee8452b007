"""`weir compare`: two campaigns, or two runs, at a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text
from weir_engine.errors import BadInput
from weir_engine.levels import short, text

from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
)

if TYPE_CHECKING:
    from weir_engine.report.numbers import Scale
    from weir_sdk import models

__all__ = ["compare"]

_WHAT = "Campaign's id or name; or the number of a run."


def compare(
    a: Annotated[str, typer.Argument(help=_WHAT)],
    b: Annotated[str, typer.Argument(help=_WHAT)],
    metric: Annotated[
        str, typer.Option("--metric", help="The metric to compare campaigns by.")
    ] = "mean_bitrate_bps",
    client: Annotated[
        int | None,
        typer.Option("--client", min=1, help="Rank of a client; default: the mean over all."),
    ] = None,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare B with A: campaigns by a metric, combination by combination over common seeds;
    runs by their parameters and metrics."""
    if a.isdecimal() != b.isdecimal():
        raise BadInput(f"{a}, {b} — allowed: two campaigns, or two runs")
    with connected(server, team) as to:
        if a.isdecimal():
            _runs(to, int(a), int(b), as_json)
        else:
            _campaigns(to, a, b, metric, client, as_json)


def _runs(to: Connection, a: int, b: int, as_json: bool) -> None:
    found = to.client.compare_runs(a, b)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    for title, differences in (("parameters", found.parameters), ("metrics", found.metrics)):
        table = Table(title, f"run {a}", f"run {b}", box=None, pad_edge=False)
        for each in differences:
            table.add_row(Text(each.path), Text(_shown(each.a)), Text(_shown(each.b)))
        output.print(table if differences else f"{title}: none differ")
        output.print()


def _campaigns(
    to: Connection, a: str, b: str, metric: str, client: int | None, as_json: bool
) -> None:
    first, second = find_campaign(to, a), find_campaign(to, b)
    found = to.client.compare_campaigns(first.id, second.id, metric, client)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    output.print(_table(found))
    for name, only in ((a, found.only_a), (b, found.only_b)):
        if only:
            notes.print(f"{len(only)} combinations are only in {name}", markup=False)
    if found.pairs and not any(pair.n for pair in found.pairs):
        notes.print("no seed is in both: the differences cannot be judged", markup=False)
    if any(pair.n > 1 and pair.distinct == 1 for pair in found.pairs):
        notes.print("alike: nothing random happened, so n runs are one; no p for one", markup=False)


def _table(found: models.Comparison) -> Table:
    from weir_engine.report.numbers import scale_for  # noqa: PLC0415 - heavy

    means = [abs(mean) for pair in found.pairs for mean in (pair.a.mean, pair.b.mean) if mean]
    scale = scale_for(found.metric.unit, max(means, default=1.0))
    table = Table(
        title=f"{found.metric.name} [{scale.unit or '-'}]",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    for factor in found.factors:
        table.add_column(short(factor))
    for name in ("A", "B", "B - A [95 %]", "n", "p", "better"):
        table.add_column(name, justify="right")
    for pair in found.pairs:
        # Over common seeds, as the difference is; without any, over all.
        sides = (pair.mean_a, pair.mean_b) if pair.n else (pair.a.mean, pair.b.mean)
        levels = [text(pair.levels[factor]) for factor in found.factors]
        p = "-" if pair.p_adjusted is None else f"{pair.p_adjusted:.2g}"
        numbers = [*(_number(scale, mean) for mean in sides), _change(scale, pair)]
        better = pair.better.upper() if pair.better else ""
        table.add_row(*map(Text, levels), *map(Text, numbers), _counted(pair), p, better)
    return table


def _counted(pair: models.Pair) -> str:
    if pair.distinct == pair.n:
        return str(pair.n)
    return f"{pair.n} alike" if pair.distinct == 1 else f"{pair.n}, {pair.distinct} distinct"


def _change(scale: Scale, pair: models.Pair) -> str:
    if pair.difference is None:
        return "-"
    told = _number(scale, pair.difference)
    if pair.ci_low is None:
        return told
    return f"{told} [{_number(scale, pair.ci_low)}, {_number(scale, pair.ci_high)}]"


def _number(scale: Scale, value: float | None) -> str:
    return "-" if value is None else scale.number(value)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "-" if value is None else text(value)
