"""Run directories in the object store: complete or not there, on every kind of store."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from weir_engine.errors import BadInput
from weir_orchestrator import objects
from weir_orchestrator.objects import BUNDLE, ObjectStore, StoreUnavailable
from weir_orchestrator.recorded import RunFiles
from weir_testing.platform.objects import keys

LARGE_BYTES = 200_000  # of a file that is an object of its own
SMALL = ("players/client-1.parquet", "metrics.json", "log.txt", "run.json")


def _run_directory(folder: Path, said: str) -> Path:
    for name in SMALL:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{said} {name}")
    for name in ("queue.parquet", "players/packets"):
        (folder / name).write_text(f"{said} ".ljust(LARGE_BYTES))
    return folder


def _content(store: ObjectStore) -> dict[str, bytes | None]:
    files = RunFiles(store, "runs/k")
    return {name: files.content(name) for name in files.listed()}


def test_a_folder_comes_back_as_it_was(store: ObjectStore, tmp_path: Path) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    stored_bytes = objects.put_folder(store, "runs/k", folder, new=True)
    assert stored_bytes == store.total_bytes("runs/k")
    paths = [path for path in folder.rglob("*") if path.is_file()]
    assert keys(store) == [f"runs/k/{n}" for n in (BUNDLE, "players/packets", "queue.parquet")]
    assert _content(store) == {str(p.relative_to(folder)): p.read_bytes() for p in paths}
    assert RunFiles(store, "runs/k").small().keys() == {*SMALL}
    (tmp_path / BUNDLE).write_bytes(store.get_bytes(f"runs/k/{BUNDLE}"))
    with tarfile.open(tmp_path / BUNDLE) as bundle:
        assert bundle.getnames() == sorted(SMALL)


def test_many_small_files_do_not_make_a_large_bundle(store: ObjectStore, tmp_path: Path) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    for number in range(30):
        (folder / f"players/client-{number}").write_text("x" * 100_000)
    objects.put_folder(store, "runs/k", folder)
    assert len(store.get_bytes(f"runs/k/{BUNDLE}")) < 1_100_000
    found = _content(store)
    assert {found[f"players/client-{number}"] for number in range(30)} == {b"x" * 100_000}


def test_a_folder_replaces_what_an_attempt_before_left(store: ObjectStore, tmp_path: Path) -> None:
    first = _run_directory(tmp_path / "first", "first")
    (first / "tcp.parquet").write_text("of the first only".ljust(LARGE_BYTES))
    (first / "flows.json").write_text("of the first only")
    objects.put_folder(store, "runs/k", first)
    store.put_bytes("runs/other", b"x")
    second = _run_directory(tmp_path / "second", "second")
    objects.put_folder(store, "runs/k", second)
    found = _content(store)
    assert found.keys() == {*SMALL, "queue.parquet", "players/packets"}
    assert {content.split()[0] for content in found.values() if content} == {b"second"}
    assert store.exists("runs/other")


class Watched(ObjectStore):
    """Sees to it that nothing below runs/k changes while its bundle is there."""

    def put_bytes(self, key: str, content: bytes) -> None:
        assert not self.exists(f"runs/k/{BUNDLE}"), f"{key} is stored beside an older bundle"
        super().put_bytes(key, content)
        if key == f"runs/k/{BUNDLE}":
            said = {each.split()[0] for each in _content(self).values() if each}
            assert len(said) == 1, "the bundle is stored before the rest"

    def delete(self, *names: str) -> None:
        super().delete(*names)
        assert not self.exists(f"runs/k/{BUNDLE}"), f"{names} were deleted beside the bundle"


def test_a_reader_sees_a_folder_complete_or_not(store: ObjectStore, tmp_path: Path) -> None:
    watched = Watched(store.url)
    for attempt in ("first", "second"):
        folder = _run_directory(tmp_path / attempt, attempt)
        (folder / f"{attempt}.bin").write_text(f"{attempt} only".ljust(LARGE_BYTES))
        objects.put_folder(watched, "runs/k", folder)
    assert _content(watched)["run.json"] == b"second run.json"


def test_removing_a_folder_removes_what_a_killed_upload_left(tmp_path: Path) -> None:
    store = objects.open_store(str(tmp_path / "objects"))
    store.put_bytes("runs/k/players/a", b"x")
    (tmp_path / "objects/runs/k/players/b#1").touch()  # as the library names them
    assert keys(store) == ["runs/k/players/a"]
    store.delete_prefix("runs/k")
    assert not (tmp_path / "objects/runs/k").exists()


class Breaking(ObjectStore):
    """Breaks off at queue.parquet, once told."""

    breaks = False

    def put_file(self, key: str, path: Path) -> None:
        if self.breaks and key.endswith("queue.parquet"):
            raise StoreUnavailable(self.url, "broke off")
        super().put_file(key, path)


def test_a_folder_that_breaks_off_is_not_complete(store: ObjectStore, tmp_path: Path) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    breaking = Breaking(store.url)
    objects.put_folder(breaking, "runs/k", folder)
    breaking.breaks = True
    with pytest.raises(StoreUnavailable, match="broke off"):
        objects.put_folder(breaking, "runs/k", folder)
    assert not breaking.exists(f"runs/k/{BUNDLE}")


def test_a_folder_without_its_run_json_with_links_or_odd_names_is_refused(
    store: ObjectStore, tmp_path: Path
) -> None:
    folder = _run_directory(tmp_path / "run", "first")
    (folder / "a name").touch()
    with pytest.raises(BadInput, match="a name"):
        objects.put_folder(store, "runs/k", folder)
    (folder / "a name").unlink()
    (folder / BUNDLE).touch()
    with pytest.raises(BadInput, match=f"{BUNDLE}: the store keeps this name"):
        objects.put_folder(store, "runs/k", folder)
    (folder / BUNDLE).unlink()
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(BadInput, match="link: a symbolic link"):
        objects.put_folder(store, "runs/k", folder)
    (folder / "link").unlink()
    (folder / "run.json").unlink()
    with pytest.raises(BadInput, match=r"no run\.json"):
        objects.put_folder(store, "runs/k", folder)
    assert keys(store) == []
