"""The lab kernel of the wheel `weir-lab-kernel`: taken where it is what this Weir asks for.

It is run where it is installed, as an image's kernel is. A kernel's name covers the compiler and
the source's bytes, which a machine without either cannot ask for; so the wheel says what files of
lab/ it was made of, and these have to be this checkout's.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from weir.errors import WeirError
from weir_lab.kernel import Kernel, find
from weir_lab.kernel.cache import OF_IMAGE
from weir_lab.kernel.inputs import LAB, compiled_in, config, file_hash, headers, patches

__all__ = [
    "INPUTS",
    "PACKAGE",
    "ReadyMade",
    "Unfit",
    "built_of",
    "can_build",
    "check",
    "inputs_hash",
    "installed",
    "leave",
    "read",
    "use",
]

PACKAGE: Final = "weir_lab_kernel"
"""Holds kernel/, a folder as the cache has one, and built_from.json."""
INPUTS: Final = Path(__file__).with_name("lab-inputs.sha256")
"""What `inputs_hash` gave where this Weir was made a wheel, which has no lab/."""
_REMEDY: Final = "pip install --force-reinstall weir-lab-kernel"


class Unfit(WeirError):
    """The wheel's kernel cannot be used here; `str()` says why."""


@dataclass(frozen=True)
class ReadyMade:
    """inputs: `inputs_hash` of the lab/ that it was built from. version: of the Weir."""

    kernel: Kernel
    version: str
    machine: str
    inputs: str


def installed() -> Path | None:
    """The wheel's package, found without importing it; None where it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


def read(package: Path) -> ReadyMade:
    """What a package says that it holds. Raises Unfit where that cannot be read."""
    try:
        made: Mapping[str, Any] = json.loads((package / "built_from.json").read_text())
        note: Mapping[str, Any] = json.loads((package / "kernel" / "kernel.json").read_text())
        kernel = Kernel(
            path=package / "kernel" / "linux",
            hash=note["hash"],
            release=note["release"],
            congestion_controls=tuple(note["congestion_controls"]),
            sha256=note["sha256"],
        )
        return ReadyMade(kernel, made["weir"], made["machine"], made["inputs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unfit(f"it is damaged ({type(error).__name__}: {error}); {_REMEDY}") from error


def check(ready: ReadyMade, *, whole: bool = True) -> None:
    """Raises Unfit: it is another machine's, another Weir's, or damaged.

    whole: read all of the program, too. Who boots a kernel does so in any case.
    """
    here = platform.machine()
    if ready.machine != here:
        raise Unfit(f"it is for {ready.machine}, and this machine is {here}")
    if ready.inputs != _asked():
        raise Unfit(f"it is that of Weir {ready.version} with other files in lab/ than these")
    program = ready.kernel.path
    if not os.access(program, os.X_OK):
        raise Unfit(f"it is damaged: {program} is not there, or no program; {_REMEDY}")
    if whole and file_hash(program) != ready.kernel.sha256:
        raise Unfit(f"it is damaged: the sha256 of {program} is another; {_REMEDY}")


def use() -> bool:
    """Have this process, and those that it starts, find the wheel's kernel, where it fits and none
    was built here; whether they do."""
    package = installed()
    if package is None or os.environ.get(OF_IMAGE):
        return package is not None and os.environ[OF_IMAGE] == str(package / "kernel")
    try:
        check(read(package), whole=False)
    except Unfit:
        return False
    if can_build() and shutil.which("gcc") and find():
        return False
    os.environ[OF_IMAGE] = str(package / "kernel")
    return True


def leave() -> None:
    """Undo `use`: what is asked for next is built, or found in the cache."""
    package = installed()
    if package and os.environ.get(OF_IMAGE) == str(package / "kernel"):
        del os.environ[OF_IMAGE]


def can_build() -> bool:
    """Whether this Weir has the files that a lab kernel is built from: a checkout has."""
    return config().is_file()


def inputs_hash(lab: Path = LAB) -> str:
    """SHA-256 of the options, patches and C files of a lab/, in hex: what of a kernel is Weir's."""
    lines = [f"{path.name} {file_hash(path)}\n" for path in built_of(lab)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def built_of(lab: Path) -> list[Path]:
    """These files."""
    return [config(lab), *patches(lab), *compiled_in(lab=lab), *headers(lab)]


def _asked() -> str:
    if can_build():
        return inputs_hash()
    return INPUTS.read_text().strip() if INPUTS.is_file() else ""
