"""What is unpacked of a kernel's source archive."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_engine.kernel_tests.source import make_headers, unpacked

SCRIPT = "tools/testing/selftests/net/mptcp/simult_flows.sh"


def archive(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / "linux-9.9" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")
    packed = folder / "linux-9.9.tar.xz"
    with tarfile.open(packed, "w:xz") as file:
        file.add(folder / "linux-9.9", "linux-9.9")
    return packed


def test_tests_and_headers_are_unpacked_once(tmp_path: Path) -> None:
    given = archive(tmp_path, SCRIPT, "include/uapi/linux/tcp.h", "net/tools/include/x", "fs/x.c")
    folder = unpacked(given, tmp_path / "cache" / "1234")
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {SCRIPT, "include/uapi/linux/tcp.h"}
    given.unlink()
    assert unpacked(given, folder) == folder
    assert [path.name for path in folder.parent.iterdir()] == ["1234"]


def test_an_archive_without_tests_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    given = archive(tmp_path, "net/ipv4/tcp.c")
    with pytest.raises(WeirError, match="has no tools/testing/selftests"):
        unpacked(given, tmp_path / "cache" / "1234")
    assert not (tmp_path / "cache" / "1234").exists()


def test_why_headers_are_not_made_is_told(tmp_path: Path) -> None:
    folder = unpacked(archive(tmp_path, SCRIPT, "usr/include/x"), tmp_path / "cache" / "1234")
    with pytest.raises(WeirError, match=r"make headers failed in the kernel's source:\n.*headers"):
        make_headers(folder)
