"""`weir show`: all about one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from weir_engine import jsonfile
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    level_text,
    output,
    print_json,
)
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption
from weir_orchestrator.cli.remote.results import documents_of_run

__all__ = ["show_run"]

_SHOWN = ("run", "host", "metrics", "checks", "commands")


def show_run(
    run: Annotated[
        str, typer.Argument(help="Run key, its beginning, or a run directory; a run's number.")
    ],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a run's metrics, checks, provenance, and the exact commands that were applied."""
    if server:
        where, documents = documents_of_run(run, server, team, _SHOWN)
    else:
        folder = Store(store).find(run)
        where, documents = str(folder), {name: _read(folder / f"{name}.json") for name in _SHOWN}
    if as_json:
        print_json({"path": where, **documents})
        return
    _print_head(where, documents["run"], documents["host"])
    if documents["metrics"]:
        output.print(_metrics(documents["metrics"]))
    if documents["checks"]:
        output.print(_checks(documents["checks"]))
    if documents["commands"]:
        output.print("\ncommands", style="bold")
        for command in documents["commands"]:
            line = command["line"]
            if line.split(" ", 1)[0] != command["program"]:
                line = f"{command['program']} {line}"
            when = f"   (at {command['at_s']:.3f} s)" if "at_s" in command else ""
            output.print(f"  {command['host']:<8} {line}{when}", markup=False)


def _read(path: Path) -> Any:
    try:
        return jsonfile.read(path)
    except (FileNotFoundError, ValueError):
        return None


def _print_head(where: str, run: dict[str, Any], host: dict[str, Any] | None) -> None:
    lines = [
        ("run", run["key"]),
        ("outcome", run["outcome"] + (f" — {run['reason']}" if run.get("reason") else "")),
        ("campaign", run["campaign"]),
        ("levels", level_text(run["levels"]) or "(no factors)"),
        ("replicate", f"{run['replicate'] + 1} (seed {run['seed']})"),
        ("kernel", f"{run['kernel']['release']} ({run['kernel']['hash'][:12]})"),
        ("roles", ", ".join(f"{name} {value[:32]}" for name, value in run["roles"].items())),
        ("files", where),
    ]
    if host:
        wall = ", ".join(f"{name} {value:.3f}" for name, value in host["wall_s"].items())
        lines.append(("host", f"{host['host']}, {host['started']}, wall seconds: {wall or '-'}"))
    for name, text in lines:
        output.print(f"{name:<10} {text}", markup=False)


def _metrics(metrics: dict[str, Any]) -> Table:
    clients = metrics["clients"]
    table = Table(box=None, pad_edge=False, title_justify="left", title="\nmetrics")
    table.add_column("metric")
    for client in clients:
        table.add_column(f"client {client['client']}", justify="right")
    names = [name for name in (clients[0] if clients else {}) if name != "client"]
    for name in names:
        table.add_row(name, *(_number(client.get(name)) for client in clients))
    table.add_section()
    for name, value in metrics["run"].items():
        table.add_row(name, _number(value))
    return table


def _checks(checks: list[dict[str, Any]]) -> Table:
    columns = ("check", "asked", "applied", "measured", "tolerance", "")
    table = Table(*columns, box=None, pad_edge=False, title_justify="left", title="\nchecks")
    for check in checks:
        cells = [_number(check.get(name)) for name in ("asked", "applied", "measured", "tolerance")]
        table.add_row(check["name"], *cells, "ok" if check["ok"] else "NOT OK")
    return table


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
