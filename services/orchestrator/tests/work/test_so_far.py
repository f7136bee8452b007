"""What running runs have recorded so far: stored while they run, and nothing afterwards."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
from weir import rundir
from weir.rundir import QUEUE_10MS, TCP, RunData, as_columns
from weir_engine.perform import WORK
from weir_engine.so_far import SO_FAR
from weir_engine.store import Store
from weir_orchestrator.objects import RUNNING, ObjectStore, open_store, running_prefix
from weir_orchestrator.recorded import RunFiles
from weir_orchestrator.work.so_far import SoFar
from weir_testing.platform.work import EXPERIMENT, key_of

KEY, OTHER = key_of(1), key_of(2)


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    return open_store(str(tmp_path / "objects"))


@pytest.fixture
def scratch(tmp_path: Path) -> Store:
    return Store(tmp_path / "scratch")


def record(scratch: Store, key: str, rows: int) -> Path:
    """What a run's process has written of so many ACKs; its folder."""
    work = (scratch.temporaries(key) or [scratch.new_temporary(key)])[0] / WORK
    work.mkdir(exist_ok=True)
    new = work / "new"
    columns = {name: np.arange(rows) for name in TCP.names}
    rundir.save(new, RunData(experiment=EXPERIMENT, players=[], tcp=as_columns(TCP, columns)))
    if (work / SO_FAR).exists():
        (work / SO_FAR).rename(work / f"before-{rows}")
    return new.rename(work / SO_FAR)


def rows_of(objects: ObjectStore, key: str) -> int:
    columns = RunFiles(objects, running_prefix(key)).columns("tcp.parquet", ["t_ns"])
    return 0 if columns is None else len(columns["t_ns"])


def test_what_is_new_is_stored_and_goes_with_the_run(objects: ObjectStore, scratch: Store) -> None:
    so_far = SoFar(objects, scratch, dict)
    so_far.look([KEY, OTHER])
    assert not list(objects.list(RUNNING))
    record(scratch, KEY, 10)
    so_far.look([KEY, OTHER])
    assert (rows_of(objects, KEY), rows_of(objects, OTHER)) == (10, 0)
    record(scratch, KEY, 25)
    record(scratch, OTHER, 5)
    so_far.look([KEY, OTHER])
    assert (rows_of(objects, KEY), rows_of(objects, OTHER)) == (25, 5)
    so_far.look([OTHER])
    assert {info.key.split("/")[1] for info in objects.list(RUNNING)} == {OTHER}
    assert not [path for path in scratch.root.iterdir() if path != scratch.temporary]


def test_nothing_is_left_when_its_worker_ends(objects: ObjectStore, scratch: Store) -> None:
    so_far = SoFar(objects, scratch, lambda: [KEY])
    record(scratch, KEY, 10)
    so_far.look([KEY])
    ended = threading.Event()
    ended.set()
    so_far.run(ended)
    assert not list(objects.list(RUNNING))


def test_a_run_cannot_have_other_files_shown(
    objects: ObjectStore, scratch: Store, tmp_path: Path
) -> None:
    """Its process may put links, pipes and what it likes in their place."""
    elsewhere = record(Store(tmp_path / "elsewhere"), OTHER, 10)
    folder = record(scratch, KEY, 10)
    for name in ("tcp.parquet", "flows.json"):
        (folder / name).unlink()
    (folder / "tcp.parquet").symlink_to(elsewhere / "tcp.parquet")
    os.mkfifo(folder / "queue.parquet")
    (folder / "flows.json").write_text("no JSON")
    (folder / "queue_10ms.parquet").write_text("no Parquet")
    so_far = SoFar(objects, scratch, dict)
    so_far.look([KEY])
    assert not list(objects.list(RUNNING))
    folder.rename(folder.with_name("aside"))
    folder.symlink_to(elsewhere)
    so_far.look([KEY])
    assert not list(objects.list(RUNNING))


def test_no_more_than_a_bounded_part_is_stored(objects: ObjectStore, scratch: Store) -> None:
    folder = record(scratch, KEY, 10)
    columns = {name: np.arange(100) for name in QUEUE_10MS.names}
    data = RunData(experiment=EXPERIMENT, players=[], queue_10ms=as_columns(QUEUE_10MS, columns))
    rundir.save(folder.with_name("bins"), data)
    (folder.with_name("bins") / "queue_10ms.parquet").rename(folder / "queue_10ms.parquet")
    with (folder / "tcp.parquet").open("ab") as file:
        file.write(os.urandom(17 << 20) + b"PAR1")
    SoFar(objects, scratch, dict).look([KEY])
    assert set(RunFiles(objects, running_prefix(KEY)).small()) == {
        "flows.json",
        "queue_10ms.parquet",
    }
