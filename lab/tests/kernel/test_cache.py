"""A lab kernel is executed as it was built, or not at all; a damaged cache is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_lab import boot
from weir_lab.kernel import Damaged, Kernel, cache, damaged, find, inputs, installed, verify
from weir_lab.kernel.source import check

_UNREADABLE = "kernel.json cannot be read"


@pytest.fixture
def built(tmp_path: Path) -> Kernel:
    program = tmp_path / "linux"
    program.write_text("#!/bin/sh\necho DONE\n")
    program.chmod(0o755)
    return Kernel(program, "0" * 16, "7.3-test", (), inputs.file_hash(program))


def test_one_that_was_replaced_is_not_booted(built: Kernel, tmp_path: Path) -> None:
    verify(built)
    with built.path.open("a") as program:
        program.write("echo another team reads this > stolen\n")
    folder = tmp_path / "run"
    folder.mkdir()
    with pytest.raises(WeirError, match="changed since it was built"):
        boot.run(built, boot.Boot(1, 1, False, False), folder, 5)
    assert not (folder / "stolen").exists()


def test_one_that_is_as_it_was_boots(built: Kernel, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    assert "DONE" in boot.run(built, boot.Boot(1, 1, False, False), folder, 5)


def test_what_was_built_before_hashes_were_noted_still_boots(built: Kernel) -> None:
    verify(replace(built, sha256=""))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """One that this checkout asks for, in a cache of its own."""
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    sources = cache.root() / "sources"
    sources.mkdir(parents=True)
    (sources / "linux-7.3.tar.xz").touch()
    (sources / "linux-7.3.tar.xz.json").write_text('{"archive": "linux-7.3.tar.xz", "sha256": "s"}')
    program = cache.root() / "kernels" / inputs.kernel_hash("s") / "linux"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"a lab kernel")
    sha256 = inputs.file_hash(program)
    made = Kernel(program, program.parent.name, "7.3-test", ("cubic",), sha256)
    cache.remember(made)
    assert find() == made
    return made


def _note(kernel: Kernel) -> Path:
    return kernel.path.with_name("kernel.json")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda kernel: _note(kernel).write_text(""), _UNREADABLE),
        (lambda kernel: _note(kernel).write_text("[]"), _UNREADABLE),
        (lambda kernel: _note(kernel).write_bytes(b"\xff\x00"), _UNREADABLE),
        (lambda kernel: _note(kernel).write_text('{"path": "linux"}'), _UNREADABLE),
        (lambda kernel: kernel.path.unlink(), "its program linux is not there"),
    ],
)
def test_a_damaged_one_is_passed_over_and_told(
    kept: Kernel, spoil: Callable[[Kernel], object], says: str
) -> None:
    spoil(kept)
    assert find() is None
    assert installed() == []
    (told,) = damaged()
    assert told == cache.damage(kept.hash)
    assert told.startswith(f"lab kernel {kept.path.parent}: {says}")
    assert told.endswith("; weir kernel build builds it again")


def test_other_bytes_are_found_by_their_hash(kept: Kernel) -> None:
    assert cache.damage(kept.hash) == ""
    kept.path.write_bytes(b"A lab kernel")
    assert f"its sha256 is another than {kept.sha256[:16]}" in cache.damage(kept.hash)
    with pytest.raises(Damaged, match="weir kernel build builds it again"):
        verify(kept)


def test_one_that_is_not_there_is_not_damaged(kept: Kernel) -> None:
    assert cache.damage("0" * 16) == ""
    assert damaged() == []


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"archive": 7, "sha256": "s"}'])
def test_a_source_whose_note_is_damaged_is_not_known(kept: Kernel, note: str) -> None:
    assert [source.sha256 for source in cache.sources()] == ["s"]
    (cache.root() / "sources" / "linux-7.3.tar.xz.json").write_text(note)
    assert cache.sources() == cache.sources("7.3") == []
    assert cache.versions() == []


def test_a_damaged_source_is_told_and_not_unpacked(kept: Kernel) -> None:
    (source,) = cache.sources()
    with pytest.raises(WeirError, match=r"linux-7.3.tar.xz: damaged, .* remove it"):
        check(source)
    check(replace(source, sha256=inputs.file_hash(source.archive)))
