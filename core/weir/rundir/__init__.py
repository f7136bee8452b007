"""The files a run leaves (format 2): see docs/run-directory.md."""

from weir.rundir.data import Columns, RunData
from weir.rundir.documents import FORMAT, RunDirectoryError, to_json
from weir.rundir.read import load, load_player, read_run
from weir.rundir.schemas import (
    DEADLINES,
    PLAYER,
    QUEUE,
    QUEUE_10MS,
    QUEUE_SECONDS,
    RETRANSMITS,
    TCP,
    TCP_SECONDS,
    as_columns,
    columns_of_rows,
)
from weir.rundir.write import save, write_document

__all__ = [
    "DEADLINES",
    "FORMAT",
    "PLAYER",
    "QUEUE",
    "QUEUE_10MS",
    "QUEUE_SECONDS",
    "RETRANSMITS",
    "TCP",
    "TCP_SECONDS",
    "Columns",
    "RunData",
    "RunDirectoryError",
    "as_columns",
    "columns_of_rows",
    "load",
    "load_player",
    "read_run",
    "save",
    "to_json",
    "write_document",
]
