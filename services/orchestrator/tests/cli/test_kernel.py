"""`weir kernel prune`, on a cache of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir_orchestrator.cli import main


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path))
    folder = tmp_path / "trees" / "0123456789abcdef"
    folder.mkdir(parents=True)
    (folder / ".config").write_text("CONFIG_UML=y\n")
    return folder


def test_it_says_what_went_and_what_is_left(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "prune", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] == []
    assert main(["kernel", "prune", "--json", "--bytes", "0"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "removed": [str(tree)], "left_bytes": 0, "bound_bytes": 0,
    }  # fmt: skip
    assert not tree.exists()


def test_a_bound_that_is_no_number_is_named(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEIR_KERNEL_CACHE_BYTES", "4GB")
    assert main(["kernel", "prune"]) != 0
    assert "WEIR_KERNEL_CACHE_BYTES: 4GB" in capsys.readouterr().err
    assert tree.exists()
