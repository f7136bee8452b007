"""A player whose levels come from outside of the guest, while virtual time stands still.

A question is a line on the console, and a line of FILLER_BYTES follows it, more than the host lets
into its pipe: the lab kernel itself waits in the host's write(2) until that is read, which the host
does once the answer, which is where a link of its own leads to, is there. So the guest takes the
same steps however long that takes. Did it ask again and again instead, each 10,000 of its steps
would count as a tick to its scheduler (UML_MAX_USERSPACE_ITERATIONS).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_client.abr import Abr
    from weir_client.state import State

CONSOLE = 1
ANSWER = "answer"
"""The link, in the folder that guest and host share; it leads to the level."""
ASKS = b"ASKS"
WAITS = b"WAITS"
OVER = b"OVER"
PIPE_BYTES = 4096
"""What the host's pipe holds at most, and what the host reads of it at once at most."""
FILLER_BYTES = 3 * PIPE_BYTES
"""The host may have read nearly PIPE_BYTES of it with the question: more than that is left."""


class ExternalAbr:
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
        os.write(CONSOLE, b"%b\n" % WAITS.ljust(FILLER_BYTES, b"."))
        return int(os.readlink("", dir_fd=self._link))


def tell_over() -> None:
    """Tell the host that the player has ended, and that all it left is there."""
    os.write(CONSOLE, b"%b\n" % OVER)
