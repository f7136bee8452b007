"""Role: the bandwidth manager. Guest side.

It learns sessions from the packets that cross the gateway, gives each its optimal level
whenever one comes or goes or the link's rate changes, and has the shaping method hold
them to it.
"""

from __future__ import annotations

import time

from weir import plain_json

from weir_gateway import shaper, sniffer
from weir_gateway.shares import Shares
from weir_gateway.tc_process import TcProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir.records import EventRecord
    from weir.resolved_network import Queue

    Session = tuple[str, int]

RWTM = "/proc/net/rwtm"
LINGER_S = 0.1  # sessions that end with the experiment are still seen


def run(
    method: str,
    headroom: float,
    bitrates_bps: list[float],
    rates: list[tuple[float, float]],
    queue: Queue,
    device: str,
    epoch_s: float,
    end_s: float,
    out: str,
) -> None:
    """Manage until the experiment ends; write what was decided, and when, to `out`.

    rates: (at_s, link rate in bit/s), the first at 0.
    """
    holder = Htbm(device, queue) if method == "htbm" else Rwtm()
    shares = Shares(bitrates_bps, headroom)
    socket = sniffer.listen(device)
    pending = list(rates)
    link_bps = pending.pop(0)[1]
    events: list[EventRecord] = []
    while True:
        now_s = time.monotonic() - epoch_s
        wake_s = pending[0][0] if pending else end_s + LINGER_S
        if now_s >= end_s + LINGER_S:
            break
        seen: EventRecord = {"t_s": now_s, "event": "link-rate"}
        applied: list[str] = []
        try:
            socket.settimeout(max(1e-6, wake_s - now_s))
            address, port, opens = sniffer.read(socket.recv(64))
        except TimeoutError:
            if not pending:
                break
            link_bps = pending.pop(0)[1]
        else:
            session = (address, port)
            if opens:
                shares.opens(session)
            elif shares.closes(session):
                applied += holder.release(session)
            else:
                continue
            seen["event"] = "session-opens" if opens else "session-closes"
            seen["address"], seen["port"] = session
        levels = shares.levels(link_bps)
        held_bps = {session: shares.rate_bps(level) for session, level in levels.items()}
        fits = shaper.share_that_fits(list(held_bps.values()), link_bps)
        for session, rate_bps in held_bps.items():
            applied += holder.hold(session, rate_bps, fits)
        seen["levels"] = [(*session, level) for session, level in levels.items()]
        seen["applied"] = applied
        seen["t_s"] = time.monotonic() - epoch_s
        events.append(seen)
    holder.close()
    plain_json.write(out, events)


class Rwtm:
    """Receive window tuning: the lab kernel's rwtm module does the work per packet."""

    def __init__(self) -> None:
        self._write("watch")

    def hold(self, session: Session, rate_bps: float, fits: float) -> list[str]:
        """Let the session have this rate, from its next ON period on; tells what was done.

        fits: as Htbm has it; a window is no class, and the link has but one.
        """
        line = f"{session[0]} {session[1]} {round(rate_bps)}"
        self._write(line)
        return [f"echo {line} > {RWTM}"]

    def release(self, session: Session) -> list[str]:
        """The module sees the FIN itself."""
        return []

    def close(self) -> None:
        """Nothing is kept open."""

    @staticmethod
    def _write(line: str) -> None:
        with open(RWTM, "w") as file:
            file.write(line)


class Htbm:
    """HTB shaping: a class, a queue and a filter per session under the home link's class."""

    def __init__(self, device: str, queue: Queue) -> None:
        self._device = device
        self._queue = queue
        self._tc = TcProcess()
        self._held: dict[Session, tuple[int, tuple[float, float]]] = {}
        self._opened = 0

    def hold(self, session: Session, rate_bps: float, fits: float) -> list[str]:
        """Give the session a class of this rate; tells what was done.

        fits: of it, what the link has beside the other sessions.
        """
        if session not in self._held:
            number, self._opened = self._opened, self._opened + 1
            lines = shaper.open_session(
                self._device, number, session[0], session[1], rate_bps, self._queue, fits
            )
        elif self._held[session][1] != (rate_bps, fits):
            number = self._held[session][0]
            lines = shaper.change_session(self._device, number, rate_bps, fits)
        else:
            return []
        self._held[session] = (number, (rate_bps, fits))
        return self._tc.apply(lines)

    def release(self, session: Session) -> list[str]:
        """Send what is left of the session with what others leave; tells what was done."""
        number, (rate_bps, _) = self._held.pop(session)
        return self._tc.apply(shaper.close_session(self._device, number, rate_bps))

    def close(self) -> None:
        """Wait until tc has applied all."""
        self._tc.close()
