"""What names a build of a program."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from weir_lab.players import browser


def by_readelf(program: Path) -> str:
    said = subprocess.run(
        ["readelf", "--notes", "--wide", program], capture_output=True, text=True, check=True
    )
    found = re.search(r"Build ID: (\w+)", said.stdout)
    return found[1] if found else ""


@pytest.mark.parametrize("name", ["nginx", "readelf", "tc"])
def test_it_is_what_the_linker_wrote(name: str) -> None:
    found = shutil.which(name, path="/usr/sbin:/sbin:/usr/bin:/bin")
    assert found is not None
    program = Path(found).resolve()
    assert browser.build_id(program) == by_readelf(program) != ""


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF", b"#!/bin/sh\n" + bytes(100), b"\x7fELF\x02" + b"\xff" * 99]
)
def test_what_is_no_such_program_has_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "program"
    path.write_bytes(content)
    assert browser.build_id(path) == ""
    assert browser.build_id(tmp_path / "absent") == ""


def test_it_is_there_where_it_can_be_started(tmp_path: Path) -> None:
    path = tmp_path / "program"
    assert not browser.is_there(path)
    path.write_text("")
    path.chmod(0o755)
    assert browser.is_there(path)
