"""What a lab kernel is made of, and the hash that names a build."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

LAB = Path(__file__).resolve().parents[2]
CONFIG = LAB / "kernel" / "lab.config"
OWN_C = (LAB / "kernel" / "modules", LAB / "cc", LAB / "mptcp")
HASH_CHARS = 16


def patches() -> list[Path]:
    """Patches to the kernel source, in the order they apply."""
    return sorted((LAB / "kernel" / "patches").glob("*.patch"))


def compiled_in(cc_extra: Sequence[Path] = ()) -> list[Path]:
    """C files compiled into the kernel: lab's modules, controls, schedulers, and `cc_extra`."""
    own = [path for folder in OWN_C for path in folder.glob("*.c")]
    return sorted([*own, *cc_extra], key=lambda path: path.name)


def headers() -> list[Path]:
    """What these include of their own."""
    return sorted((path for folder in OWN_C for path in folder.glob("*.h")), key=lambda p: p.name)


def compiler() -> str:
    """The compiler's own version line."""
    run = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[0]


def file_hash(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tree_hash(source_sha256: str) -> str:
    """Names a configured and patched source tree, before this project's C files."""
    return _digest([source_sha256, compiler(), *map(file_hash, [CONFIG, *patches()])])


def kernel_hash(source_sha256: str, cc_extra: Sequence[Path] = ()) -> str:
    """Names a kernel: equal hashes, equal builds."""
    files = [*compiled_in(cc_extra), *headers()]
    return _digest(
        [tree_hash(source_sha256), *(f"{path.name} {file_hash(path)}" for path in files)]
    )


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:HASH_CHARS]
