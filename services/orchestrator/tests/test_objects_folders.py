"""Run directories in the object store: complete or not there, on every kind of store."""

from __future__ import annotations

from pathlib import Path

import pytest
from object_parts import keys
from weir_orchestrator import objects
from weir_orchestrator.errors import BadInput
from weir_orchestrator.objects import ObjectStore, StoreUnavailable

PART_BYTES = 5 << 20  # above it, uploads go in parts


def _run_directory(folder: Path, said: str) -> Path:
    for name in ("players/client-1.parquet", "metrics.json", "log.txt", "run.json"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{said} {name}")
    return folder


def test_a_folder_replaces_what_an_attempt_before_left(store: ObjectStore, tmp_path: Path) -> None:
    first = _run_directory(tmp_path / "first", "first")
    (first / "queue.parquet").write_text("of the first only")
    objects.put_folder(store, "runs/k", first)
    store.put_bytes("runs/other", b"x")
    second = _run_directory(tmp_path / "second", "second")
    stored_bytes = objects.put_folder(store, "runs/k", second)
    assert stored_bytes == store.total_bytes("runs/k")
    assert keys(store, "runs/k") == [
        "runs/k/log.txt",
        "runs/k/metrics.json",
        "runs/k/players/client-1.parquet",
        "runs/k/run.json",
    ]
    assert store.get_bytes("runs/k/log.txt") == b"second log.txt"
    assert store.exists("runs/other")


class Watched(ObjectStore):
    """Sees to it that nothing below runs/k changes while its run.json is there."""

    def put_file(self, key: str, path: Path) -> None:
        assert not self.exists("runs/k/run.json"), f"{key} is stored beside an older run.json"
        if key == "runs/k/run.json":
            said = {self.get_bytes(key).split()[0] for key in keys(self, "runs/k")}
            assert said == {path.read_bytes().split()[0]}, "run.json is stored before the rest"
        super().put_file(key, path)

    def delete(self, *names: str) -> None:
        super().delete(*names)
        assert not self.exists("runs/k/run.json"), f"{names} were deleted beside run.json"


def test_a_reader_sees_a_folder_complete_or_not(store: ObjectStore, tmp_path: Path) -> None:
    watched = Watched(store.url, store._backend)
    for attempt in ("first", "second"):
        folder = _run_directory(tmp_path / attempt, attempt)
        (folder / f"{attempt}.txt").write_text(f"{attempt} only")
        objects.put_folder(watched, "runs/k", folder)
    assert store.get_bytes("runs/k/run.json") == b"second run.json"
    assert objects.delete_folder(watched, "runs/k") == 5
    assert keys(store) == []


def test_removing_a_folder_removes_what_a_killed_upload_left(tmp_path: Path) -> None:
    store = objects.open_store(str(tmp_path / "objects"))
    store.put_bytes("runs/k/players/a", b"x")
    (tmp_path / "objects/runs/k/players/b#1").touch()  # as the library names them
    assert keys(store) == ["runs/k/players/a"]
    store.delete_prefix("runs/k")
    assert not (tmp_path / "objects/runs/k").exists()


class Breaking(ObjectStore):
    """Breaks off at log.txt."""

    def put_file(self, key: str, path: Path) -> None:
        if key.endswith("log.txt"):
            raise StoreUnavailable(self.url, "broke off")
        super().put_file(key, path)


def test_a_folder_that_breaks_off_is_not_complete(store: ObjectStore, tmp_path: Path) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    objects.put_folder(store, "runs/k", folder)
    with pytest.raises(StoreUnavailable, match="broke off"):
        objects.put_folder(Breaking(store.url, store._backend), "runs/k", folder)
    assert not store.exists("runs/k/run.json")


def test_a_folder_without_its_last_file_with_links_or_odd_names_is_refused(
    store: ObjectStore, tmp_path: Path
) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    (folder / "a name").touch()
    with pytest.raises(BadInput, match="a name"):
        objects.put_folder(store, "runs/k", folder)
    (folder / "a name").unlink()
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(BadInput, match="link: a symbolic link"):
        objects.put_folder(store, "runs/k", folder)
    (folder / "link").unlink()
    (folder / "run.json").unlink()
    with pytest.raises(BadInput, match=r"no run\.json"):
        objects.put_folder(store, "runs/k", folder)
    assert keys(store) == []
