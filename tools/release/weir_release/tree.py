"""The committed tree that a release is made of."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import WeirError

__all__ = ["ROOT", "Head", "committed", "emptied", "run", "wheel"]

ROOT: Final = Path(__file__).resolve().parents[3]
_OURS: Final = ("*.whl", "*.cdx.json", "*.lock", "SHA256SUMS")


@dataclass(frozen=True)
class Head:
    """A commit's files. time_s: when it was made, which all files of a wheel get."""

    folder: Path
    commit: str
    time_s: int
    version: str


def committed(folder: Path, checkout: Path = ROOT) -> Head:
    """What a checkout's HEAD holds, written to `folder`. Raises WeirError."""
    folder.mkdir(parents=True)
    commit, time_s = run(["git", "show", "-s", "--format=%H %ct", "HEAD"], checkout).split()
    archive = folder.with_suffix(".tar")
    run(["git", "archive", f"--output={archive}", commit], checkout)
    run(["tar", "-xf", str(archive)], folder)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    return Head(folder, commit, int(time_s), project["version"])


def emptied(out: Path) -> None:
    """Make the folder, and remove what a release before left: checksums shall cover this one."""
    out.mkdir(parents=True, exist_ok=True)
    for path in (path for pattern in _OURS for path in out.glob(pattern)):
        path.unlink()


def wheel(head: Head, project: Path, out: Path) -> Path:
    """Build a project's wheel: the same bytes whenever it is built. Raises WeirError."""
    part = project / "dist"
    shutil.rmtree(part, ignore_errors=True)
    environment = {"SOURCE_DATE_EPOCH": str(head.time_s), "WEIR_VERSION": head.version}
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(part)]
    run(command, project, environment)
    (built,) = part.glob("*.whl")
    return Path(shutil.move(built, out / built.name))


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """What a command prints. Raises WeirError with what it said."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-8:]
        raise WeirError(f"{' '.join(command[:4])} failed:\n" + "\n".join(said))
    return done.stdout
