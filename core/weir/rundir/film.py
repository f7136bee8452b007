"""The film's segment sizes, beside run.json: eight levels of 300 would take 30 kB in it.

run.json says `"sizes_bytes": {"file": "sizes.parquet", "sha256": ...}` in `experiment.content`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from weir.atomic import write_atomic
from weir.resolved import Experiment
from weir.rundir.documents import RunDirectoryError
from weir.rundir.parquet import parquet_bytes
from weir.runkey import canonical_json

__all__ = ["restored", "set_aside"]

_FILE = "sizes.parquet"


def set_aside(directory: Path, experiment: Experiment) -> dict[str, Any]:
    """The experiment for run.json; its film's table, if it has one, is written into a file."""
    content = experiment["content"]
    sizes = content["sizes_bytes"]
    if sizes is None:
        (directory / _FILE).unlink(missing_ok=True)
        return dict(experiment)
    names = [f"level_{level}" for level in range(len(sizes))]
    schema = pa.schema([(name, pa.int32()) for name in names])
    columns = dict(zip(names, sizes, strict=True))
    write_atomic(directory / _FILE, parquet_bytes(schema, columns))
    named = {"file": _FILE, "sha256": _digest(sizes)}
    return {**experiment, "content": {**content, "sizes_bytes": named}}


def restored(directory: Path, experiment: dict[str, Any]) -> Experiment:
    """The experiment as it was run. Raises RunDirectoryError: the table is gone or another."""
    content = experiment.get("content", {})
    named = content.get("sizes_bytes")
    if not isinstance(named, dict):
        return cast(Experiment, experiment)
    path = directory / _FILE
    try:
        sizes = [column.to_pylist() for column in pq.read_table(path).columns]
    except FileNotFoundError:
        raise RunDirectoryError(f"{path}: no such file; run it again") from None
    except pa.ArrowException as error:
        raise RunDirectoryError(f"{path}: not readable as Parquet ({error})") from None
    if _digest(sizes) != named.get("sha256"):
        raise RunDirectoryError(f"{path}: not the table of the run; run it again")
    return cast(Experiment, {**experiment, "content": {**content, "sizes_bytes": sizes}})


def _digest(sizes: list[list[int]]) -> str:
    return hashlib.sha256(canonical_json(sizes).encode()).hexdigest()
