"""What is unpacked of a kernel's source archive."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_engine.kernel_tests.source import make_headers, unpacked
from weir_lab.kernel import cache, prune
from weir_lab.kernel.prune import MARKS

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
    folder = tmp_path / "cache" / "1234"
    for _ in range(2):
        with unpacked(given, folder) as there:
            assert there == folder
        given.unlink(missing_ok=True)
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {SCRIPT, "include/uapi/linux/tcp.h", MARKS["selftests"]}
    assert [path.name for path in folder.parent.iterdir()] == ["1234"]


def test_what_a_removal_that_was_killed_left_is_unpacked_again(tmp_path: Path) -> None:
    given = archive(tmp_path, SCRIPT)
    folder = tmp_path / "cache" / "1234"
    (folder / "usr").mkdir(parents=True)
    with unpacked(given, folder):
        assert (folder / SCRIPT).is_file()
        assert not (folder / "usr").exists()


def test_it_is_pruned_when_it_was_used_least_recently_and_nobody_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    folder = cache.root() / "selftests" / "1234"
    with unpacked(archive(tmp_path, SCRIPT), folder):
        assert prune(0).removed == ()
    assert prune(1 << 30).removed == ()
    assert prune(0).removed == (folder,)
    assert not folder.exists()


def test_an_archive_without_tests_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    given = archive(tmp_path, "net/ipv4/tcp.c")
    with (
        pytest.raises(WeirError, match="has no tools/testing/selftests"),
        unpacked(given, tmp_path / "cache" / "1234"),
    ):
        pass
    assert not (tmp_path / "cache" / "1234").exists()


def test_why_headers_are_not_made_is_told(tmp_path: Path) -> None:
    given = archive(tmp_path, SCRIPT, "usr/include/x")
    with (
        unpacked(given, tmp_path / "cache" / "1234") as folder,
        pytest.raises(WeirError, match=r"make headers failed in the kernel's source:\n.*headers"),
    ):
        make_headers(folder)
