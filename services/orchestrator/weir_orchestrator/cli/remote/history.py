"""`weir history`: what changed over the nights of a schedule, at a server."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text
from weir_engine.errors import BadInput
from weir_engine.levels import text

from weir_orchestrator.cli.common import JsonOption, notes, output, print_json
from weir_orchestrator.cli.remote.connect import (
    ServerOption,
    TeamOption,
    connected,
    find_schedule,
)

if TYPE_CHECKING:
    from weir_sdk import Client, models

__all__ = ["history"]

_WORDS = {"kernel": "new lab kernel", "weir": "new Weir"}


def history(
    schedule: Annotated[str, typer.Argument(help="Schedule's name or id.")],
    metric: Annotated[
        str | None,
        typer.Option("--metric", help="Its values night by night, instead of what changed."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, max=2000, help="The newest so many.")] = 30,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show on which nights of a schedule results changed; with --metric: how it went."""
    with connected(server, team) as to:
        found = find_schedule(to, schedule)
        if metric is None:
            changes = list(islice(to.client.list_changes(found.id, limit=min(most, 500)), most))
            _show_changes(changes, as_json)
        else:
            _show_trends(list(_trends(to.client, found, metric, most)), as_json)


def _trends(
    client: Client, schedule: models.ScheduleOut, metric: str, nights: int
) -> Iterable[models.TrendOut]:
    points = client.show_board(schedule.id).points
    wanted = [point.trend for point in points if point.metric == metric]
    if not wanted:
        have = ", ".join(sorted({point.metric for point in points})) or "none, no night is judged"
        raise BadInput(f"--metric: {metric} — the newest night of {schedule.name} has {have}")
    return (client.show_trend(trend, nights=nights) for trend in wanted)


def _show_changes(changes: list[models.Change], as_json: bool) -> None:
    if as_json:
        print_json([each.model_dump(mode="json") for each in changes])
        return
    if not changes:
        notes.print("nothing changed in the nights that were judged")
        return
    heads = ("night", "subjects", "change", "metric", "mean", "combination")
    table = Table(*heads, box=None, pad_edge=False)
    for each in changes:
        mean = _number(each.mean, _unit(each.metric))
        said = (_day(each), _subjects(each), _mark(each))
        table.add_row(*_cells(*said, each.metric, mean, _levels(each.levels)))
    output.print(table)


def _show_trends(trends: list[models.TrendOut], as_json: bool) -> None:
    if as_json:
        print_json([each.model_dump(mode="json") for each in trends])
        return
    for trend in trends:
        table = Table("night", "subjects", "n", "mean", "95 %", "beside the baseline", "change")
        table.box, table.pad_edge, table.title_justify = None, False, "left"
        table.title = Text(f"{trend.metric} at {_levels(trend.levels)}")
        for point in trend.points:
            interval = "alike"
            if point.low is not None and point.high is not None:
                interval = f"{_number(point.low, trend.unit)} to {_number(point.high, trend.unit)}"
            mean = _number(point.mean, trend.unit)
            said = (point.verdict or "-", _mark(point))
            night = (_day(point), _subjects(point))
            table.add_row(*_cells(*night, str(point.n), mean, interval, *said))
        output.print(table)
        output.print()


def _mark(point: models.TrendPointOut | models.Change) -> str:
    return _WORDS.get(point.mark, point.mark)


def _day(point: models.TrendPointOut | models.Change) -> str:
    return point.at.astimezone().strftime("%Y-%m-%d %H:%M")


def _subjects(point: models.TrendPointOut | models.Change) -> str:
    return ", ".join(f"{name} {version[:12]}" for name, version in point.subjects.items())


def _unit(metric: str) -> str:
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy

    return CATALOG[metric].unit if metric in CATALOG else ""


def _number(value: float, unit: str) -> str:
    from weir_engine.report.numbers import scale_for  # noqa: PLC0415 - heavy

    scale = scale_for(unit, abs(value))
    return f"{scale.number(value)} {scale.unit}".strip()


def _levels(levels: dict[str, Any]) -> str:
    return ", ".join(f"{path} {text(level)}" for path, level in levels.items()) or "the one"


def _cells(*cells: str) -> list[Text]:
    return [Text(each) for each in cells]
