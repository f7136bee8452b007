"""What a client's first request on a connection asks of the transport that answers it.

The server's `aimd` reads both headers where they come in; web servers pass over them. Times are
counted from the request's arrival, so that the two hosts need no common clock.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from weir.resolved import Client, Deadlines

    Opening = Callable[[float], bytes]


def opening(client: Client) -> Opening | None:
    """Header lines of the first request on each new connection, by its time in s since the
    experiment's start; None where there is nothing to ask.
    """
    if aimd := client.get("aimd"):
        line = b"Weir-AIMD: alpha=%.3f beta=%.3f\r\n" % (aimd["alpha"], aimd["beta"])
        return lambda now_s: line
    deadlines = client.get("deadlines")
    if deadlines is None or deadlines["moves"] == "none":
        return None
    return _once(deadlines, client["start_s"] + deadlines["after_s"])


def _once(deadlines: Deadlines, begin_s: float) -> Opening:
    """A film that goes on over a second connection is no longer the one the deadlines count."""
    told = False

    def line(now_s: float) -> bytes:
        nonlocal told
        if told:
            return b""
        told = True
        return (
            b"Weir-Deadline: in=%.3f length=%.3f rate=%d lower=%.3f upper=%.3f parameter=%s\r\n"
            % (
                max(0.0, begin_s - now_s),
                deadlines["length_s"],
                deadlines["rate_bps"],
                deadlines["lower_s"],
                deadlines["upper_s"],
                deadlines["moves"].encode(),
            )
        )

    return line
