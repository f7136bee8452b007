"""What a run key covers of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

from weir_engine.provenance import SEARCH_PATH, binaries, roles_at


def test_another_build_of_a_program_is_another_key(tmp_path: Path) -> None:
    tc = shutil.which("tc", path=SEARCH_PATH)
    assert tc is not None
    before = roles_at(SEARCH_PATH)
    copy = tmp_path / "tc"
    shutil.copy(tc, copy)
    with_copy = f"{tmp_path}:{SEARCH_PATH}"
    assert roles_at(with_copy) == before
    with copy.open("ab") as file:
        file.write(b"\0")
    after = roles_at(with_copy)
    assert after["hash"] != before["hash"]
    assert {**after, "hash": ""} == {**before, "hash": ""}


def test_libraries_count() -> None:
    names = {path.name.partition(".")[0] for path in binaries(SEARCH_PATH)}
    assert {"nginx", "libc", "libm"} <= names
