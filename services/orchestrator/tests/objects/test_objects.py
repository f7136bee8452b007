"""The object store on a folder, on memory and on a real MinIO: one suite for all."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from weir_engine.errors import BadInput
from weir_orchestrator import objects
from weir_orchestrator.objects import ObjectNotFound, ObjectStore, RangeOutside
from weir_testing.platform.objects import keys
from weir_testing.servers.minio import Minio

PART_BYTES = 5 << 20  # above it, uploads go in parts


@pytest.mark.parametrize("content", [b"", b"weir", b"0123456789abcdef" * (PART_BYTES // 12)])
def test_what_was_put_is_read_back(store: ObjectStore, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    store.put_file("runs/1/file", tmp_path / "file")
    store.put_bytes("runs/1/bytes", content)
    for key in ("runs/1/file", "runs/1/bytes"):
        assert store.get_bytes(key) == content
        download = store.stream(key)
        assert (download.start, download.end) == (0, len(content))
        assert b"".join(download.chunks) == content
        assert store.info(key).size_bytes == len(content)


def test_a_second_put_replaces_the_first(store: ObjectStore) -> None:
    store.put_bytes("a", b"first")
    before = store.info("a").etag
    store.put_bytes("a", b"second!")
    assert store.get_bytes("a") == b"second!"
    assert store.info("a").etag != before


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(0, 1, b"0"), (3, 6, b"345"), (7, None, b"789"), (0, None, b"0123456789"), (9, 99, b"9")],
)
def test_a_part_of_an_object_is_streamed(
    store: ObjectStore, start: int, end: int | None, expected: bytes
) -> None:
    store.put_bytes("a", b"0123456789")
    download = store.stream("a", start, end)
    assert b"".join(download.chunks) == expected
    assert (download.start, download.end) == (start, start + len(expected))
    assert download.info.size_bytes == 10


@pytest.mark.parametrize(("start", "end"), [(10, None), (99, 100), (-1, 3), (5, 5)])
def test_a_part_that_is_not_there_is_refused(
    store: ObjectStore, start: int, end: int | None
) -> None:
    store.put_bytes("a", b"0123456789")
    with pytest.raises(RangeOutside, match="allowed: 0 to 9"):
        store.stream("a", start, end)


def test_listing_gives_sizes_below_whole_names_only(store: ObjectStore) -> None:
    store.put_bytes("runs/1/a", b"12345")
    store.put_bytes("runs/1/b/c", b"123")
    store.put_bytes("runs/12/a", b"1")
    assert {info.key: info.size_bytes for info in store.list("runs/1")} == {
        "runs/1/a": 5,
        "runs/1/b/c": 3,
    }
    assert keys(store) == ["runs/1/a", "runs/1/b/c", "runs/12/a"]
    assert store.total_bytes("runs/1") == 8
    assert store.total_bytes() == 9
    assert keys(store, "runs/2") == []


def test_more_objects_than_one_request_lists_or_deletes(store: ObjectStore) -> None:
    for number in range(1100):
        store.put_bytes(f"many/{number}", b"x")
    store.put_bytes("other", b"x")
    assert store.total_bytes("many") == 1100
    assert store.delete_prefix("many") == 1100
    assert keys(store) == ["other"]


def test_deleting_what_is_gone_is_no_error(store: ObjectStore) -> None:
    store.put_bytes("a", b"x")
    store.put_bytes("b", b"x")
    store.delete("missing/1", "a", "missing/2", "b")
    assert keys(store) == []
    assert store.delete_prefix("missing") == 0


def test_a_missing_object_is_named(store: ObjectStore) -> None:
    asked: list[Callable[[str], object]] = [store.get_bytes, store.stream, store.info]
    for ask in asked:
        with pytest.raises(ObjectNotFound, match=r"no object runs/7/log\.txt"):
            ask("runs/7/log.txt")
    assert not store.exists("runs/7/log.txt")
    store.put_bytes("runs/7/log.txt", b"x")
    assert store.exists("runs/7/log.txt")


@pytest.mark.parametrize(
    "key",
    [
        *(
            "",
            "/a",
            "a/",
            "a//b",
            "..",
            "a/../b",
            "./a",
            "a\\b",
            "a b",
            "a\0b",
            "é",
            "a%2f..",
            "a#1",
        ),
        *("a\n", "x" * 256, "a/" * 450 + "a"),
    ],
)
def test_keys_that_are_no_plain_relative_paths_are_refused(
    store: ObjectStore, tmp_path: Path, key: str
) -> None:
    (tmp_path / "file").touch()
    asked: list[Callable[[], object]] = [
        lambda: store.put_bytes(key, b""),
        lambda: store.put_file(key, tmp_path / "file"),
        lambda: store.get_bytes(key),
        lambda: store.stream(key),
        lambda: store.exists(key),
        lambda: store.delete(key),
        lambda: store.delete_prefix(key),
        lambda: store.presigned_get(key, timedelta(minutes=1)),
    ]
    for ask in asked:
        with pytest.raises(BadInput, match=r"object key: .* — allowed: names of letters"):
            ask()
    assert keys(store) == []


def test_a_healthy_store_passes_its_check_and_keeps_nothing_of_it(store: ObjectStore) -> None:
    store.check()
    assert keys(store) == []


def test_only_s3_gives_urls_that_anybody_may_read(store: ObjectStore) -> None:
    store.put_bytes("runs/1/log.txt", b"said")
    url = store.presigned_get("runs/1/log.txt", timedelta(minutes=1))
    if not store.url.bucket:
        assert url is None
        return
    assert url is not None
    with urllib.request.urlopen(url) as answer:
        assert answer.read() == b"said"
    for forbidden in (url.partition("?")[0], url.replace("log.txt", "other.txt")):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(forbidden)
    with pytest.raises(BadInput, match="up to 7 days"):
        store.presigned_get("runs/1/log.txt", timedelta(days=8))


def test_presigned_urls_name_the_public_endpoint(bucket_url: str, minio_server: Minio) -> None:
    public = minio_server.access.endpoint.replace("127.0.0.1", "localhost")
    store = objects.open_store(f"{bucket_url}&public_endpoint={public}")
    store.put_bytes("a", b"said")
    url = store.presigned_get("a", timedelta(minutes=1))
    assert url is not None
    assert url.startswith(public)
    with urllib.request.urlopen(url) as answer:
        assert answer.read() == b"said"


def test_a_store_survives_its_servers_death(bucket_url: str, minio_server: Minio) -> None:
    store = objects.open_store(bucket_url)
    store.put_bytes("a", b"kept")
    minio_server.kill()
    restart = threading.Timer(3, minio_server.start)
    restart.start()
    try:
        store.put_bytes("b", b"while it was down")
        assert store.get_bytes("a") == b"kept"
    finally:
        restart.join()
    assert keys(store) == ["a", "b"]


def test_many_threads_put_and_delete_side_by_side(store: ObjectStore) -> None:
    def work(number: int) -> None:
        for _ in range(50):
            store.put_bytes(f"same/folder/{number}", b"x")
            assert f"same/folder/{number}" in keys(store)
            store.delete(f"same/folder/{number}")
        store.put_bytes(f"same/folder/{number}", b"kept")

    # MinIO denies access to a folder in the moment in which its last object goes.
    store.put_bytes("same/folder/stays", b"")
    with ThreadPoolExecutor(8) as threads:
        for _ in threads.map(work, range(8)):
            pass
    assert keys(store) == [*(f"same/folder/{number}" for number in range(8)), "same/folder/stays"]
