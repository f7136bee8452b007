"""packetdrill itself: a program that is given, or its sources, which are compiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from weir.errors import WeirError

from weir_engine.kernel_tests.packetdrill.suite import Suite

__all__ = ["make_tools"]

_SOURCES: Final = "gtests/net/packetdrill"
_YIELDING: Final = Path(__file__).with_name("yielding.c")


def make_tools(given: Path, suite: Suite, folder: Path) -> None:
    """Fill a folder with what the guest needs: packetdrill, yielding.so, scripts/.

    given: packetdrill, or its source as a folder or a tar archive. Raises WeirError.
    """
    if given.is_file() and os.access(given, os.X_OK) and not tarfile.is_tarfile(given):
        shutil.copy(given, folder / "packetdrill")
    else:
        _compile(given, folder / "packetdrill")
    _run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(folder / "yielding.so"), str(_YIELDING)])
    shutil.copytree(suite.folder, folder / "scripts")


def _compile(given: Path, program: Path) -> None:
    with TemporaryDirectory(prefix="weir-packetdrill-") as name:
        scratch = Path(name)
        if given.is_dir():
            shutil.copytree(given, scratch / "source", symlinks=True)
        elif given.is_file() and tarfile.is_tarfile(given):
            _run(["tar", "-xf", str(given), "-C", name])
        found = next((path.parent for path in scratch.rglob("packetdrill.c")), None)
        if found is None:
            raise WeirError(
                f"--packetdrill: {given} — allowed: the program, or a folder or tar archive with "
                f"its source ({_SOURCES}); get it from github.com/google/packetdrill"
            )
        _run(["sh", "configure"], found)
        _run(["make", f"-j{os.cpu_count() or 1}", "packetdrill"], found)
        shutil.copy(found / "packetdrill", program)


def _run(command: list[str], folder: Path | None = None) -> None:
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise WeirError(f"{command[0]}: not here; packetdrill is compiled by it") from error
    if run.returncode:
        said = "\n".join((run.stdout + run.stderr).strip().splitlines()[-6:])
        raise WeirError(f"{' '.join(command[:2])} failed for packetdrill:\n{said}")
