"""`weir diff`: the first moment at which two runs part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from weir_engine.errors import BadInput
from weir_engine.store import Store

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import DEFAULT_STORE, JsonOption, StoreOption, output, print_json
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption, connected

if TYPE_CHECKING:
    from weir.rundir import RunData
    from weir_engine.parting import Parting
    from weir_sdk.models import PartingOut

__all__ = ["diff"]

_RUN = "Run key, its beginning, or a run directory; at a server a run's number."


def diff(
    a: Annotated[str, typer.Argument(help=_RUN)],
    b: Annotated[str, typer.Argument(help=_RUN)],
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Tell the first moment at which two runs part, in each of their records: packets, ACKs,
    segments. Exact, since runs are deterministic; most is learned from two runs of one seed."""
    found = _at_server(a, b, server, team) if server else _here(a, b, store)
    if as_json:
        print_json({"a": a, "b": b, "partings": [_as_json(each) for each in found]})
    elif not found:
        output.print("same: every row that both recorded")
    else:
        output.print(f"they part at {found[0].t_s:.6f} s")
        output.print(_table(found))
    return exits.NOT_GOOD if found else exits.OK


def _here(a: str, b: str, store: Any) -> list[Parting]:
    from weir_engine.parting import partings  # noqa: PLC0415 - heavy

    return partings(*(_load(store, run) for run in (a, b)))


def _load(store: Any, run: str) -> RunData:
    from weir import rundir  # noqa: PLC0415 - heavy

    return rundir.load(Store(store).find(run))


def _at_server(a: str, b: str, server: str, team: str | None) -> list[PartingOut]:
    if not (a.isdecimal() and b.isdecimal()):
        raise BadInput(f"{a}, {b} — allowed at a server: numbers of runs, as in their addresses")
    with connected(server, team) as to:
        return list(to.client.find_parting(int(a), int(b)).partings)


def _table(found: list[Parting] | list[PartingOut]) -> Table:
    table = Table("at [s]", "record", "row", "what differs: A, B", box=None, pad_edge=False)
    for each in found:
        record = each.record if each.client is None else f"client {each.client}"
        told = ", ".join(f"{d.column} {_number(d.a)}, {_number(d.b)}" for d in each.differences)
        table.add_row(f"{each.t_s:.6f}", record, str(each.row), told)
    return table


def _as_json(parting: Parting | PartingOut) -> dict[str, Any]:
    return {**vars(parting), "differences": [vars(each) for each in parting.differences]}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.15g}"
