"""`weir kernel build` with bad changes, `weir kernel diff`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir_lab.kernel import Kernel, cache
from weir_orchestrator.cli import main


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--patch", "none.patch"], "kernel.patches.0: none.patch"),
        (["--patch", "empty.patch"], "no hunk"),
        (["--config", "HZ"], "--config: HZ"),
        (["--config", "hz=100"], "kernel.config.hz"),
        (["--version", "newest"], "kernel.version: newest"),
    ],
)
def test_bad_changes_are_refused_before_anything_is_built(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: list[str],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "empty.patch").write_text("nothing\n")
    assert main(["kernel", "build", *given]) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "cache").exists()


def test_two_kernels_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path))
    for name, options, changes in (
        ("aaaa", "CONFIG_HZ=1000\n# CONFIG_TCP_CONG_YEAH is not set\n", ()),
        ("aabb", "CONFIG_HZ=1000\nCONFIG_TCP_CONG_YEAH=y\n", ("TCP_CONG_YEAH=y",)),
    ):
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        (folder / "linux").touch()
        (folder / "config").write_text(options)
        controls = ("cubic", "yeah") if changes else ("cubic",)
        cache.remember(Kernel(folder / "linux", name, "7.3.4", controls, config=changes))
    assert main(["kernel", "diff", "aaaa", "aabb"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "- CONFIG_TCP_CONG_YEAH=n",
        "+ CONFIG_TCP_CONG_YEAH=y",
        "+ congestion control yeah",
    ]
    assert main(["kernel", "diff", "aaaa", "aaaa", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"only_first": [], "only_second": []}
    assert main(["kernel", "diff", "aaaa", "aa"]) == 2
    assert "aaaa, aabb" in capsys.readouterr().err
    main(["kernel", "list", "--json"])
    listed = {each["hash"]: each for each in json.loads(capsys.readouterr().out)}
    assert listed["aabb"]["config"] == ["TCP_CONG_YEAH=y"]
    assert listed["aaaa"]["config"] == []
