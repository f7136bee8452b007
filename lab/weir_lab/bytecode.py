"""Compiled modules for the guest, so that its imports take the same steps in every run.

What is not compiled yet costs the guest's Python other system calls, and some of those cost
virtual time: a first run would differ from the second.
"""

from __future__ import annotations

import compileall
from collections.abc import Iterable
from functools import cache

__all__ = ["compile_packages"]


def compile_packages(folders: Iterable[str]) -> None:
    """Compile the packages that these folders are, where they are not, each once in this process.

    Where nothing may be written, as in an installation by another user, they stay as they are:
    compile them when installing.
    """
    for folder in folders:
        _compile(folder)


@cache
def _compile(folder: str) -> None:
    compileall.compile_dir(folder, quiet=2)
