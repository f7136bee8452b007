"""make in a kernel's tree, confined to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os import cpu_count
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab.kernel import confined
from weir_lab.kernel.bounds import Bounds

__all__ = ["PROGRAM", "Progress", "compile_kernel"]

PROGRAM: Final = "linux.stripped"

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps expected, and what is being done."""

_MOST_ERRORS: Final = 8
_ERROR: Final = re.compile(r"\berror: |undefined reference|multiple definition|\*\*\* ")


def compile_kernel(
    tree: Path, linked: Sequence[Path], limit_s: float, steps: int, progress: Progress
) -> None:
    """Leave the kernel in the tree, as PROGRAM.

    linked: other trees that this one's links lead to. steps: lines that make is expected to print.
    Raises WeirError: it does not compile, or takes more than `limit_s`.
    """
    strip = f"strip --strip-debug -o {PROGRAM} linux"
    jobs = f"-j{cpu_count() or 1}"
    errors: list[str] = []
    done = 0

    def told(line: str) -> None:
        nonlocal done
        progress(min(done, steps), steps, line.strip())
        done += 1
        if len(errors) < _MOST_ERRORS and _ERROR.search(line):
            errors.append(line)

    # One shell for both: what is read of the program is as hostile as what made it.
    command = ["sh", "-c", f"make ARCH=um {jobs} linux && {strip}"]
    said = confined.run(command, tree, linked, Bounds(limit_s), told)
    if said.code:
        words = "".join(errors or said.tail[-_MOST_ERRORS:])
        raise WeirError(f"the lab kernel does not compile:\n{words}")
