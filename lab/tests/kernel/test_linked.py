"""A tree of its own has copies of what was built, and links to the source."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from weir_lab.kernel import linked, tree


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """As a kernel's: unpacked at 100 s, the Makefile changed at 200 s, built from then on."""
    root = tmp_path / "tree"
    for name, at_s in {
        "net/ipv4/tcp.c": 100,
        "include/linux/tcp.h": 100,
        tree.FIRST_CHANGED: 200,
        "net/ipv4/tcp.o": 300,
        "net/built-in.a": 301,
        ".config": 250,
        "vmlinux.o": 302,
        "net/vmlinux.lds": 302,
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (at_s, at_s))
    (root / "include" / "uapi").symlink_to("linux")
    os.utime(root / "include" / "uapi", (100, 100), follow_symlinks=False)
    return root


def test_what_was_built_is_copied_with_its_time(compiled: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    linked.make(compiled, own)
    for name in ("net/ipv4/tcp.o", "net/built-in.a", ".config"):
        assert not (own / name).is_symlink()
        assert (own / name).stat().st_mtime_ns == (compiled / name).stat().st_mtime_ns
        (own / name).write_text("changed by a build")
        assert (compiled / name).read_text() == name, "the next build starts from the same"


def test_what_is_linked_anew_is_left_out(compiled: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    linked.make(compiled, own)
    assert not (own / "vmlinux.o").exists()
    assert (own / "net/vmlinux.lds").exists()


def test_trees_are_kept_apart_on_ext4(compiled: Path, tmp_path: Path) -> None:
    linked.make(compiled, tmp_path / "builds" / "own")
    if _said_by("stat", "-f", "-c", "%T", tmp_path) != "ext2/ext3":
        pytest.skip("not on ext4")
    assert "T" in _said_by("lsattr", "-d", tmp_path / "builds").split()[0]


def _said_by(*words: str | Path) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_the_source_is_linked_to_by_folders_where_nothing_was_built(
    compiled: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    linked.make(compiled, own)
    assert (own / "net/ipv4/tcp.c").readlink() == compiled / "net/ipv4/tcp.c"
    assert (own / tree.FIRST_CHANGED).is_symlink()
    assert (own / "include").readlink() == compiled / "include"
    assert (own / "include/uapi/tcp.h").read_text() == "include/linux/tcp.h"
