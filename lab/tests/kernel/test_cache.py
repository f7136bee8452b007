"""A lab kernel is executed as it was built, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_lab import boot
from weir_lab.kernel import Kernel, inputs, verify


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
