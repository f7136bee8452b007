"""What a run key covers of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from weir_engine import provenance


def test_another_build_of_a_program_is_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tc = shutil.which("tc", path=provenance._SBIN)
    assert tc is not None
    before = provenance.roles.__wrapped__()
    copy = tmp_path / "tc"
    shutil.copy(tc, copy)
    monkeypatch.setattr(provenance, "_SBIN", f"{tmp_path}:{provenance._SBIN}")
    assert provenance.roles.__wrapped__() == before
    with copy.open("ab") as file:
        file.write(b"\0")
    after = provenance.roles.__wrapped__()
    assert after["hash"] != before["hash"]
    assert {**after, "hash": ""} == {**before, "hash": ""}


def test_libraries_count() -> None:
    names = {path.name.partition(".")[0] for path in provenance._binaries()}
    assert {"nginx", "libc", "libm"} <= names
