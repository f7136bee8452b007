"""What players on the real clock have done so far, brought from their agents for others to draw.

A few kilobytes a minute. What the kernels record stays where it is until the end: it would take the
network that the cell's own packets take, and time of its machines.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weir.errors import RunFailure

from weir_lab import left

if TYPE_CHECKING:
    from weir_lab.real.remote import RemoteAgent

__all__ = ["Rows", "rows_in"]

EVERY_S: Final = 5.0
MOST_BYTES: Final = 1 << 20
"""Nine thousand segments of one player."""
_PLAYER: Final = re.compile(r"client-[1-9][0-9]{0,3}")


def rows_in(folder: Path, name: str) -> bytes:
    """An agent's side: what the player whose file is called so has written; empty where there is
    none.

    Raises RunFailure for what is no plain file of at most MOST_BYTES, or no player's name.
    """
    if not _PLAYER.fullmatch(name):
        raise RunFailure(f"{name[:20]!r} is no player's file")
    try:
        with left.reading(folder, name, MOST_BYTES) as file:
            return file.read(MOST_BYTES)
    except FileNotFoundError:
        return b""


class Rows:
    """The cell's side: now and then puts what all players have written into a folder, each in the
    file that it has at the end, and replaced as a whole."""

    def __init__(
        self, players: Iterable[tuple[RemoteAgent, str]], folder: Path, every_s: float = EVERY_S
    ) -> None:
        """players: each one's agent, and the name of its file."""
        self._players, self._folder, self._every_s = list(players), folder, every_s
        self._next_s = time.monotonic() + every_s

    def look(self) -> None:
        """Where it is time. An agent that does not answer, or knows nothing of this, matters to
        nobody yet."""
        if time.monotonic() < self._next_s:
            return
        for remote, name in self._players:
            with suppress(RunFailure):
                new = self._folder / f"{name}.new"
                new.write_bytes(remote.rows(name))
                new.rename(self._folder / name)
        self._next_s = time.monotonic() + self._every_s
