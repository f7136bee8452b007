"""Run directory, written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from weir.atomic import write_atomic
from weir.resolved import Experiment
from weir.rundir.data import Columns, RunData
from weir.rundir.documents import FORMAT, to_json
from weir.rundir.film import set_aside
from weir.rundir.parquet import parquet_bytes
from weir.rundir.schemas import (
    DEADLINES,
    PLAYER,
    QUEUE,
    QUEUE_10MS,
    QUEUE_SECONDS,
    RETRANSMITS,
    TCP,
    TCP_SECONDS,
    with_path,
)


def save(
    directory: Path,
    data: RunData,
    run: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
) -> None:
    """Write `data` into `directory` (made if need be), each file whole or not at all.

    run: what else run.json holds (key, campaign, levels, seed, outcome...); its format and
    experiment are filled in here. It is removed first and written last, so that a directory
    with a run.json is complete. metrics: the content of metrics.json, if already computed.
    Raises OSError (disk full, no permission), RunDirectoryError for malformed columns.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "run.json").unlink(missing_ok=True)
    players = directory / "players"
    players.mkdir(exist_ok=True)
    for stale in players.glob("client-*.parquet"):
        stale.unlink()
    for number, rows in enumerate(data.players, start=1):
        write_atomic(players / f"client-{number}.parquet", parquet_bytes(PLAYER, rows))
    _table(directory / "tcp.parquet", TCP, data.tcp)
    _table(directory / "retransmits.parquet", RETRANSMITS, data.retransmits)
    _table(directory / "tcp_seconds.parquet", TCP_SECONDS, data.tcp_seconds)
    _table(directory / "deadlines.parquet", DEADLINES, data.deadlines)
    for name, schema, columns in (
        ("queue", QUEUE, data.queue),
        ("queue_10ms", QUEUE_10MS, data.queue_10ms),
        ("queue_seconds", QUEUE_SECONDS, data.queue_seconds),
        ("upstream", QUEUE, data.upstream),
        ("upstream_10ms", QUEUE_10MS, data.upstream_10ms),
        ("upstream_seconds", QUEUE_SECONDS, data.upstream_seconds),
    ):
        _table(directory / f"{name}.parquet", with_path(schema, columns or ()), columns)
    write_atomic(directory / "flows.json", to_json(data.flows))
    write_atomic(directory / "checks.json", to_json(data.checks))
    lines = b"".join(to_json_line(event) for event in data.events)
    write_atomic(directory / "events.jsonl", lines)
    if metrics is not None:
        write_atomic(directory / "metrics.json", to_json(metrics))
    write_document(directory, run or {}, data.experiment)


def write_document(directory: Path, run: Mapping[str, Any], experiment: Experiment) -> None:
    """Write run.json, and beside it what of the experiment is too large for it: see `save`."""
    document = {**run, "format": FORMAT, "experiment": set_aside(directory, experiment)}
    write_atomic(directory / "run.json", to_json(document))


def to_json_line(value: Mapping[str, Any]) -> bytes:
    """One compact line of JSON."""
    return b" ".join(line.strip() for line in to_json(value).splitlines()) + b"\n"


def _table(path: Path, schema: pa.Schema, columns: Columns | None) -> None:
    if columns is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, parquet_bytes(schema, columns))
