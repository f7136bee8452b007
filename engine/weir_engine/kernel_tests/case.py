"""A test of the kernel's own, as one call of a program."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Case"]


@dataclass(frozen=True)
class Case:
    """command: the program and its arguments; a program with a slash is relative to `at`, a folder
    of the tools that the guest sees.

    preload: a library of the tools; empty: none. own_network: in a network namespace of its own.
    limit_s: how long it may take on the lab kernel's clock; 0: it limits itself.
    """

    name: str
    command: tuple[str, ...]
    at: str
    preload: str = ""
    own_network: bool = False
    limit_s: int = 0
