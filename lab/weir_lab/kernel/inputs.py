"""What a lab kernel is made of, and the hash that names a build."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from weir_lab.kernel.changes import NONE, Changes

LAB = Path(__file__).resolve().parents[2]
"""Of this checkout; every function takes another one's as `lab`."""
PARTS = ("kernel", "cc", "mptcp")
"""The folders of it that count."""
HASH_CHARS = 16


def config(lab: Path = LAB) -> Path:
    """The kernel's options."""
    return lab / "kernel" / "lab.config"


def patches(lab: Path = LAB) -> list[Path]:
    """Patches to the kernel source, in the order they apply."""
    return sorted((lab / "kernel" / "patches").glob("*.patch"))


def compiled_in(cc_extra: Sequence[Path] = (), lab: Path = LAB) -> list[Path]:
    """C files compiled into the kernel: lab's modules, controls, schedulers, and `cc_extra`."""
    return sorted([*_own("*.c", lab), *cc_extra], key=lambda path: path.name)


def headers(lab: Path = LAB) -> list[Path]:
    """What these include of their own."""
    return sorted(_own("*.h", lab), key=lambda path: path.name)


def compiler() -> str:
    """The compiler's own version line."""
    run = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[0]


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_hash(source_sha256: str, lab: Path = LAB) -> str:
    """Names a configured and patched source tree, before this project's C files."""
    return _digest([source_sha256, compiler(), *map(file_hash, [config(lab), *patches(lab)])])


def kernel_hash(
    source_sha256: str,
    cc_extra: Sequence[Path] = (),
    lab: Path = LAB,
    changes: Changes = NONE,
) -> str:
    """Names a kernel: equal hashes, equal builds."""
    files = [*compiled_in(cc_extra, lab), *headers(lab)]
    hashed = [f"{path.name} {file_hash(path)}" for path in files]
    return _digest([tree_hash(source_sha256, lab), *hashed, *changes.words()])


def _own(pattern: str, lab: Path) -> list[Path]:
    folders = (lab / "kernel" / "modules", lab / "cc", lab / "mptcp")
    return [path for folder in folders for path in folder.glob(pattern)]


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:HASH_CHARS]
