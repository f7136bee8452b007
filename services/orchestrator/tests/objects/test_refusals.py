"""What the object store says to whoever runs it: each message names the store and the remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from weir_engine.errors import BadInput
from weir_orchestrator import objects
from weir_orchestrator.objects import StoreUnavailable
from weir_testing.servers.minio import Minio
from weir_testing.servers.process import free_port


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("", r"store: '' — allowed: a folder's path, file:///path, s3://bucket"),
        ("ftp://host/x", r"store: 'ftp://host/x' — allowed: a folder's path"),
        ("memory://x", r"'memory://x' — allowed"),
        ("file://host/x", r"'file://host/x' — allowed: file:///path, with three slashes"),
        ("s3://", r"'s3://' names no bucket — allowed: s3://bucket/prefix"),
        ("s3://b?endpiont=http://h", r"option 'endpiont' — allowed: endpoint, public_endpoint"),
        ("s3://b?endpoint=h:9000", r"endpoint='h:9000' — allowed: http://host:port"),
        ("s3://b?endpoint=http://k:s@h", r"endpoint='.*' — allowed: http://host:port"),
        ("s3://b/../c", r"object key: '\.\./c' — allowed"),
    ],
)
def test_urls_that_name_no_store_are_refused(url: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        objects.open_store(url)


def test_credentials_in_a_url_are_refused_and_not_repeated() -> None:
    with pytest.raises(BadInput, match="AWS_SECRET_ACCESS_KEY in the environment") as refusal:
        objects.open_store("s3://key:topsecret@bucket")
    assert "topsecret" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    ["/data/weir", "memory://", "s3://b", "s3://b/a/c?endpoint=http://host:9000&region=eu-west-1"],
)
def test_a_url_is_shown_as_it_was_given(url: str) -> None:
    assert str(objects.parse_url(url)) == url


def test_paths_are_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert objects.parse_url("weir-store").folder == tmp_path / "weir-store"
    assert objects.parse_url("file:///a%20b/c").folder == Path("/a b/c")


def _refusal(url: str) -> str:
    with pytest.raises(StoreUnavailable) as refusal:
        objects.open_store(url).check()
    said = str(refusal.value)
    assert said.startswith(f"object store {url}: ")
    assert "\n" not in said
    return said


def test_a_missing_bucket_is_told(minio_server: Minio, bucket_url: str) -> None:
    said = _refusal(minio_server.url("no-such-bucket"))
    assert "NoSuchBucket: there is no such bucket: create it" in said
    store = objects.open_store(minio_server.url("no-such-bucket"))
    with pytest.raises(StoreUnavailable, match="no such bucket"):
        store.get_bytes("a")
    with pytest.raises(StoreUnavailable, match="no such bucket"):
        list(store.list())
    with pytest.raises(StoreUnavailable, match="no such bucket"):
        store.delete("a")


def test_wrong_credentials_are_told(bucket_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong-secret")
    said = _refusal(bucket_url)
    assert "AWS_SECRET_ACCESS_KEY is not the secret of this AWS_ACCESS_KEY_ID" in said
    assert "wrong-secret" not in said
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    assert "the server knows no such AWS_ACCESS_KEY_ID" in _refusal(bucket_url)


def test_missing_credentials_are_told(bucket_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert _refusal(bucket_url).endswith("no credentials: set AWS_SECRET_ACCESS_KEY")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    said = _refusal(bucket_url)
    assert said.endswith("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")


def test_an_unreachable_server_is_told(bucket_url: str) -> None:
    endpoint = f"http://127.0.0.1:{free_port()}"
    said = _refusal(f"s3://bucket?endpoint={endpoint}")
    assert f"no answer from {endpoint}: see that the server runs" in said


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "Name a folder that this user may write to" in _refusal(str(tmp_path / "file"))


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    """On a file system of 64 kB, in a mount namespace of its own."""
    program = """
from weir_orchestrator import objects
store = objects.open_store("small")
try:
    store.put_bytes("a", bytes(100_000))
except Exception as error:
    print(type(error).__name__, error)
"""
    small = tmp_path / "small"
    small.mkdir()
    mounted = ["unshare", "--map-root-user", "--mount", "bash", "-c"]
    mount = f"mount -t tmpfs -o size=64k tmpfs {small}"
    tried = subprocess.run([*mounted, mount], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"mounting a small tmpfs is not allowed here: {tried.stderr.strip()}")
    told = subprocess.run(
        [*mounted, f'{mount} && exec "$0" -c "$1"', sys.executable, program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith(f"DiskFull no space left in {small}")
