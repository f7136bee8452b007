"""`weir export`: results as a table for notebooks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from weir_engine import rows
from weir_engine.csv_text import inert
from weir_engine.errors import BadInput
from weir_engine.row import flat
from weir_engine.states import FINISHED
from weir_engine.store import Store

from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    StoreOption,
    name_of_file,
    notes,
    record_of,
)

__all__ = ["Format", "export"]


class Format(StrEnum):
    """File formats of an export."""

    CSV = "csv"
    PARQUET = "parquet"


def export(
    campaign: Annotated[str, typer.Argument(help="Campaign file, or name of one in the store.")],
    out: Annotated[Path, typer.Option("--out", help="File to write.")],
    format_: Annotated[Format, typer.Option("--format", help="Kind of file.")] = Format.CSV,
    include_invalid: Annotated[
        bool, typer.Option("--include-invalid", help="Also runs that failed their own checks.")
    ] = False,
    store: StoreOption = DEFAULT_STORE,
) -> None:
    """Write one row per run and client: factor levels and metrics."""
    folder = Store(store)
    record = record_of(campaign, folder, name_of_file)
    wanted = {*FINISHED} if include_invalid else {"succeeded"}
    table = [
        line
        for row in rows.read(folder, record)
        if row.state in wanted
        for line in flat(record["name"], row)
    ]
    if not table:
        raise BadInput(f"CAMPAIGN: {campaign} — has no finished runs yet; see `weir status`")
    if not out.parent.is_dir():
        raise BadInput(f"--out: {out} — there is no folder {out.parent}")
    _write(table, out, format_)
    notes.print(f"{len(table)} rows in {out}", markup=False)


def _write(table: list[dict[str, object]], out: Path, format_: Format) -> None:
    import pyarrow as pa  # noqa: PLC0415 - slow to import
    from pyarrow import csv, parquet  # noqa: PLC0415

    names = list(dict.fromkeys(name for line in table for name in line))
    columns = {name: _column([line.get(name) for line in table]) for name in names}
    if format_ is Format.PARQUET:
        parquet.write_table(pa.table(columns), out)
    else:
        shown = {inert(name): [inert(value) for value in of] for name, of in columns.items()}
        csv.write_csv(pa.table(shown), out)


def _column(values: list[object]) -> list[object]:
    """Numbers of one kind, so that a column has one type."""
    if any(isinstance(value, float) for value in values):
        return [float(v) if isinstance(v, int) else v for v in values]
    return values
