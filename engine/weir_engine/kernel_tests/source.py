"""What the tests need of a kernel's source: its kselftests, and the headers that they include."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from weir.errors import WeirError
from weir_lab.kernel import cache, locks
from weir_lab.kernel.prune import MARKS

__all__ = ["SELFTESTS", "make_headers", "unpacked"]

SELFTESTS: Final = "tools/testing/selftests"
_UNPACKED: Final = (
    SELFTESTS,
    "tools/include",
    # What `make headers` reads.
    "Kbuild",
    "Makefile",
    "arch/x86/Makefile*",
    "arch/x86/entry/syscalls",
    "arch/x86/include/uapi",
    "include/uapi",
    "scripts",
    "usr/include",
)
"""As patterns in the archive's one folder."""
_HEADERS_MADE: Final = "usr/include/made"
_MOST_WAIT_S: Final = 600.0


@contextmanager
def unpacked(archive: Path, folder: Path) -> Iterator[Path]:
    """The folder, with these parts of a kernel's source archive; it is not pruned before the end of
    the block.

    Raises WeirError: the archive has no kselftests; locks.Busy.
    """
    with ExitStack() as stack:
        with locks.alone(cache.lock(folder.name), _MOST_WAIT_S):
            _unpack(archive, folder)
            locks.used(folder)
            stack.enter_context(locks.reading(folder))
        yield folder


def _unpack(archive: Path, folder: Path) -> None:
    """Unless it is there already. Who calls has the folder's lock."""
    if (folder / MARKS["selftests"]).exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    command = ["tar", "-xf", str(archive), "-C", str(part), "--strip-components=1"]
    patterns = [f"*/{name}" for name in _UNPACKED]
    # Told is what matters and is not there, below.
    subprocess.run(
        [*command, "--wildcards", "--no-wildcards-match-slash", *patterns],
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if not (part / SELFTESTS).is_dir():
        raise WeirError(f"{archive}: has no {SELFTESTS}; give a kernel's whole source")
    (part / MARKS["selftests"]).touch()
    part.rename(folder)


def make_headers(source: Path) -> None:
    """Have the headers of this kernel's user interface in usr/include of an unpacked source: a
    machine's own are older than the kernel that is tested. Raises WeirError; locks.Busy."""
    made = source / _HEADERS_MADE
    with locks.alone(cache.lock(source.name), _MOST_WAIT_S):
        if made.exists():
            return
        said = subprocess.run(
            ["make", "-s", "headers"], cwd=source, capture_output=True, text=True, check=False
        )
        if said.returncode:
            last = "\n".join((said.stdout + said.stderr).strip().splitlines()[-6:])
            raise WeirError(f"make headers failed in the kernel's source:\n{last}")
        made.touch()
