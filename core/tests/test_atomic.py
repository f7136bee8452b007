"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.atomic import write_atomic


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.json"
    write_atomic(target, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        write_atomic(target, b"new")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("x.json", b"old")]
