"""Run directory, read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weir.records import EventRecord
from weir.rundir.data import Columns, RunData
from weir.rundir.documents import RunDirectoryError, read_document, read_json
from weir.rundir.film import restored
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
    with_path,
)

_OF_BOTTLENECKS = (QUEUE, QUEUE_10MS, QUEUE_SECONDS)


def read_run(directory: Path) -> dict[str, Any]:
    """run.json with the whole experiment in it, its film's sizes too.

    Raises RunDirectoryError when it is absent, unreadable or of a newer format than FORMAT.
    """
    document = read_document(directory)
    experiment = document.get("experiment")
    if not isinstance(experiment, dict):
        raise RunDirectoryError(f"{directory / 'run.json'}: no experiment; run it again")
    return {**document, "experiment": restored(directory, experiment)}


def load(directory: Path) -> RunData:
    """The records of a finished run; one that was off is None.

    Raises RunDirectoryError when the run is unfinished, of a newer format, or damaged.
    """
    experiment = read_run(directory)["experiment"]
    clients = range(1, len(experiment.get("clients", [])) + 1)
    return RunData(
        experiment=experiment,
        players=[load_player(directory, client) for client in clients],
        tcp=_optional(directory / "tcp.parquet", TCP),
        retransmits=_optional(directory / "retransmits.parquet", RETRANSMITS),
        queue=_optional(directory / "queue.parquet", QUEUE),
        queue_10ms=_optional(directory / "queue_10ms.parquet", QUEUE_10MS),
        upstream=_optional(directory / "upstream.parquet", QUEUE),
        upstream_10ms=_optional(directory / "upstream_10ms.parquet", QUEUE_10MS),
        tcp_seconds=_optional(directory / "tcp_seconds.parquet", TCP_SECONDS),
        queue_seconds=_optional(directory / "queue_seconds.parquet", QUEUE_SECONDS),
        upstream_seconds=_optional(directory / "upstream_seconds.parquet", QUEUE_SECONDS),
        deadlines=_optional(directory / "deadlines.parquet", DEADLINES),
        flows=read_json(directory / "flows.json"),
        events=_lines(directory / "events.jsonl"),
        checks=read_json(directory / "checks.json"),
    )


def load_player(directory: Path, client: int) -> Columns:
    """A client's table alone; clients are numbered from 1. Raises RunDirectoryError."""
    return _table(directory / f"players/client-{client}.parquet", PLAYER)


def _optional(path: Path, schema: pa.Schema) -> Columns | None:
    return _table(path, schema) if path.exists() else None


def _table(path: Path, schema: pa.Schema) -> Columns:
    try:
        table = pq.read_table(path)
        columns = {name: table.column(name).to_numpy() for name in table.column_names}
        known = with_path(schema, columns) if schema in _OF_BOTTLENECKS else schema
        return as_columns(known, columns)
    except FileNotFoundError:
        raise RunDirectoryError(f"{path}: no such file; run it again") from None
    except pa.ArrowException as error:
        raise RunDirectoryError(f"{path}: not readable as Parquet ({error})") from None
    except RunDirectoryError as error:
        raise RunDirectoryError(f"{path}: {error}") from None


def _lines(path: Path) -> list[EventRecord]:
    try:
        return [json.loads(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        raise RunDirectoryError(f"{path}: not readable ({error}); run it again") from None
