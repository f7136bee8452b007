"""A player whose levels come from outside of the guest, while virtual time stands still.

The clock of a lab kernel moves when its guest waits or reads the clock. So a question, which is a
line on the console, is followed by neither: the answer, which is where a link of the host's leads
to, is read again and again until it is that question's. Each reading succeeds, since a system call
that fails takes a microsecond. The host halts the kernel meanwhile (weir_lab.asking).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_client.abr import Abr
    from weir_client.state import State

CONSOLE = 1
ANSWER = "answer"
"""The link, in the folder that guest and host share; it leads to QUESTION.LEVEL."""
ASKS = b"ASKS"
OVER = b"OVER"


class Asked:
    """Asks for each level. The player's own ABR is asked first, as it is where levels are decided
    beforehand, so that both have the same bytes."""

    def __init__(self, abr: Abr, folder: str) -> None:
        """folder: in the guest, shared with the host. Raises OSError."""
        self._abr = abr
        self._number = 0
        # Looked up anew each time, the link would be made anew in the guest's memory.
        self._link = os.open(f"{folder}/{ANSWER}", os.O_PATH | os.O_NOFOLLOW)
        if hasattr(abr, "delay_s"):
            self.delay_s = abr.delay_s

    @property
    def estimate_bps(self) -> float | None:
        """The own ABR's."""
        return getattr(self._abr, "estimate_bps", None)

    def choose(self, state: State) -> int:
        """The level that is answered."""
        own = self._abr.choose(state)
        self._number += 1
        told = (ASKS, self._number, state.segment, own, state.now_s, state.buffer_s)
        os.write(CONSOLE, b"%b %d %d %d %a %a\n" % told)
        expected, answered, level = str(self._number), "", ""
        while answered != expected:
            answered, _, level = os.readlink("", dir_fd=self._link).partition(".")
        return int(level)


def tell_over() -> None:
    """Tell the host that the player has ended, and that all it left is there."""
    os.write(CONSOLE, b"%b\n" % OVER)
