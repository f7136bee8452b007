"""`weir report`: tables and figures over a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir_orchestrator import rows
from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    name_of_file,
    notes,
    output,
    print_json,
    record_of,
)
from weir_orchestrator.errors import BadInput
from weir_orchestrator.store import Store

__all__ = ["report"]


def report(
    campaign: Annotated[str, typer.Argument(help="Campaign file, or name of one in the store.")],
    html: Annotated[
        Path | None, typer.Option("--html", help="HTML file to write; default: in the store.")
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="Only this metric. Repeatable.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: JsonOption = False,
) -> None:
    """Print means with 95 % intervals per combination of levels, and write the HTML report."""
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy

    from weir_orchestrator.report import build, terminal  # noqa: PLC0415

    for name in metric or []:
        if name not in CATALOG:
            raise BadInput(f"--metric: {name} — allowed: {', '.join(sorted(CATALOG))}")
    if html is not None and not html.parent.is_dir():
        raise BadInput(f"--html: {html} — there is no folder {html.parent}")
    folder = Store(store)
    record = record_of(campaign, folder, name_of_file)
    built = build(record, rows.read(folder, record), metric)
    if as_json:
        print_json(terminal.as_json(built))
    else:
        output.print(terminal.fitting(built, built.metrics, output))
        _say_states(built.states)
    if html is None and as_json:
        return
    from weir_orchestrator.report import html as page  # noqa: PLC0415 - imports matplotlib

    target = html or folder.campaign_path(record["name"]).with_name("report.html")
    target.write_text(page.render(built), encoding="utf-8")
    notes.print(f"report: {target}", markup=False)


def _say_states(states: dict[str, int]) -> None:
    bad = [f"{count} {state}" for state, count in states.items() if state not in {"succeeded"}]
    if bad:
        output.print(f"not averaged: {', '.join(bad)} (see `weir status`)", markup=False)
