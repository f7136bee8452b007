"""tools/kept: what is slow to make is made once for the same inputs, and shared by all trees."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from weir_testing.checkout import ROOT

MAKE = 'mkdir -p made/deep && date +%s%N >made/deep/when && echo "made" >&2'


def kept(tree: Path, *inputs: str, make: str = MAKE) -> subprocess.CompletedProcess[str]:
    tree.mkdir(exist_ok=True)
    return subprocess.run(
        [ROOT / "tools" / "kept", "thing", "made", *inputs, "--", "sh", "-c", make],
        cwd=tree,
        env={**os.environ, "WEIR_CACHE": str(tree.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_second_tree_gets_what_the_first_has_made(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert kept(first, "lock", "3.11").stderr == "made\n"
    assert kept(second, "lock", "3.11").stderr == ""
    made = first / "made" / "deep" / "when"
    assert (second / "made" / "deep" / "when").read_text() == made.read_text()
    made.unlink()
    made.write_text("replaced")
    assert (second / "made" / "deep" / "when").read_text() != "replaced"


def test_what_is_kept_and_damaged_is_told_and_made_again(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    assert kept(tree, "word").stderr == "made\n"
    (when,) = (tmp_path / "cache").rglob("when")
    spoil: list[Callable[[], object]] = [
        lambda: os.truncate(when, 3),
        when.unlink,
        lambda: shutil.rmtree(when.parent),
    ]
    for each in spoil:
        each()
        told, *made = kept(tree, "word").stderr.splitlines()
        assert "is damaged: files of it are missing, or cut off; made is made again" in told
        assert made == ["made"]
        assert len((tree / "made" / "deep" / "when").read_text()) == 20
        assert kept(tree, "word").stderr == ""


def test_an_input_is_a_word_or_what_a_file_holds(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    lock = tree / "lock"
    lock.write_text("one")
    assert kept(tree, "lock").stderr == "made\n"
    lock.touch()
    assert kept(tree, "lock").stderr == ""
    lock.write_text("two")
    assert kept(tree, "lock").stderr == "made\n"
    assert kept(tree, "lock", "other").stderr == "made\n"
    assert kept(tree, "lock").stderr == ""


def test_only_the_last_two_are_kept(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for word in ("a", "b", "a", "c"):
        kept(tree, word)
    assert [kept(tree, word).stderr for word in ("a", "c", "b")] == ["", "", "made\n"]


def test_what_fails_is_not_kept(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    assert kept(tree, "word", make="mkdir made; exit 7").returncode == 7
    assert kept(tree, "word").stderr == "made\n"
