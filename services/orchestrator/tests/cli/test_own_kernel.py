"""A kernel of one's own as a factor: the real patch, compiler, kernel and TCP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_lab import kernel
from weir_orchestrator.cli import main
from weir_testing.kernel_patches import KEEP_WINDOW

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

CAMPAIGN: dict[str, Any] = {
    "name": "own-kernel",
    "experiment": {
        "duration": "20s",
        "content": {"ladder": ["4Mbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
        "clients": [{"player": "fixed", "options": {"level": 0}, "buffer": "6s"}],
    },
}


def campaign(folder: Path, patch: str, factors: dict[str, Any]) -> Path:
    (folder / "fix.patch").write_text(patch)
    file = folder / "own.yaml"
    file.write_text(yaml.safe_dump(CAMPAIGN | {"factors": factors}, sort_keys=False))
    return file


def test_runs_of_a_patched_kernel_stand_beside_the_labs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    plain = campaign(tmp_path, KEEP_WINDOW, {})
    assert main(["run", str(plain), "--store", store]) == 0
    factor = {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}
    assert main(["run", str(campaign(tmp_path, KEEP_WINDOW, factor)), "--store", store]) == 0
    assert "2 runs, 1 have a result already" in capsys.readouterr().err
    main(["status", "own-kernel", "--store", store, "--json"])
    stock, mine = json.loads(capsys.readouterr().out)["runs"]
    runs = {}
    for run in (stock, mine):
        path = next((tmp_path / "store" / "runs").rglob(f"{run['key']}/run.json"))
        runs[run["key"]] = json.loads(path.read_text())
    assert runs[stock["key"]]["seed"] == runs[mine["key"]]["seed"]
    own = kernel.find()
    assert own is not None
    assert runs[stock["key"]]["kernel"]["hash"] == own.hash
    assert runs[mine["key"]]["kernel"]["hash"] != runs[stock["key"]]["kernel"]["hash"]
    assert main(["replay", mine["key"], "--store", store]) == 0, "byte for byte"


def test_c_that_does_not_compile_is_told_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = KEEP_WINDOW.replace("while (0", "while (no_such_thing")
    factor = {"kernel.patches": [[], ["fix.patch"]]}
    assert main(["run", str(campaign(tmp_path, broken, factor)), "--store", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert "net/ipv4/tcp_output.c:171:" in said
    assert "'no_such_thing' undeclared" in said
