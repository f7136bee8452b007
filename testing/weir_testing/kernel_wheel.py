"""The wheel weir-lab-kernel as if pip had installed it, with a program of the test's own."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest
from weir_engine import ready_made
from weir_lab.kernel import cache, inputs

__all__ = ["install", "say"]

_NOTE = "built_from.json"


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> Path:
    """The package of a wheel for this checkout, on a machine that has built no kernel."""
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(cache.OF_IMAGE, "")
    package = tmp_path / "site-packages" / ready_made.PACKAGE
    linux = package / "kernel" / "linux"
    linux.parent.mkdir(parents=True)
    (package / "__init__.py").touch()
    linux.write_text(program)
    linux.chmod(0o755)
    cache.remember(cache.Kernel(linux, "abc", "7.3-test", ("cubic",), inputs.file_hash(linux)))
    note = {"weir": "0.1.0", "machine": platform.machine(), "inputs": ready_made.inputs_hash()}
    (package / _NOTE).write_text(json.dumps(note))
    monkeypatch.syspath_prepend(str(package.parent))
    return package


def say(package: Path, **changes: str) -> None:
    """Have it say something else of what it was built from."""
    note = package / _NOTE
    note.write_text(json.dumps(json.loads(note.read_text()) | changes))
