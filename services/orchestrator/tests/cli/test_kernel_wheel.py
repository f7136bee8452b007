"""`weir kernel build` with the wheel weir-lab-kernel installed."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest
from weir_orchestrator.cli import main
from weir_testing.kernel_wheel import install, say


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel's package, for this checkout; neither a kernel nor a compiler is here."""
    package = install(tmp_path, monkeypatch, "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    return package


def test_it_is_used_and_said_to_be(wheel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "build"]) == 0
    told = capsys.readouterr()
    assert "ready made, of weir-lab-kernel 0.1.0" in told.err
    assert told.out == f"lab kernel 7.3-test (abc): {wheel / 'kernel' / 'linux'}\n"
    assert main(["kernel", "list", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert listed["current"] is True


@pytest.mark.parametrize(
    ("content", "machine", "says"),
    [
        (b"linuX", platform.machine(), "the sha256 of"),
        (b"linux", "aarch64", f"for aarch64, and this machine is {platform.machine()}"),
    ],
)
def test_one_that_is_unfit_is_told_and_a_build_begins(
    wheel: Path, capsys: pytest.CaptureFixture[str], content: bytes, machine: str, says: str
) -> None:
    (wheel / "kernel" / "linux").write_bytes(content)
    say(wheel, machine=machine)
    assert main(["kernel", "build"]) == 3
    said = capsys.readouterr().err
    assert "weir-lab-kernel is not used: it is " in said
    assert says in said
    assert "building the lab kernel needs tools that are not here" in said


def test_a_source_that_is_given_is_built_from(
    wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "linux-7.3.tar.xz"
    archive.write_bytes(b"")
    assert main(["kernel", "build", "--source", str(archive)]) == 3
    assert "needs tools" in capsys.readouterr().err
