"""`weir kernel prune` and `list`, on a cache of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir_lab.kernel import cache, inputs
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


def test_a_damaged_kernel_is_told_by_list_doctor_and_whoever_needs_one(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = cache.root() / "sources"
    sources.mkdir()
    (sources / "linux.tar.xz").touch()
    (sources / "linux.tar.xz.json").write_text('{"archive": "linux.tar.xz", "sha256": "s"}')
    note = cache.root() / "kernels" / inputs.kernel_hash("s") / "kernel.json"
    note.parent.mkdir(parents=True)
    note.write_text("{")
    for words in (["list"], ["diff", "a", "b"], ["prune"]):
        main(["kernel", *words])
        assert "Traceback" not in capsys.readouterr().err
    assert main(["kernel", "list"]) == 0
    wrong = f"lab kernel {note.parent}: kernel.json cannot be read"
    told = capsys.readouterr().err
    assert wrong in told and "weir kernel build builds it again" in told
    assert main(["up", "--data", str(tree.parent)]) == 3
    assert wrong in capsys.readouterr().err
    main(["doctor", "--json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    (told,) = [each["found"] for each in found if each["name"] == "lab kernel"]
    assert wrong in told
