"""How the bandwidth manager divides the home link among the sessions it knows. Pure."""

from __future__ import annotations

from weir.optimum import optimal_levels


class Shares:
    """The sessions in order of arrival, and the rate that each may have.

    Ben Ameur et al. 2018: each active session is given its optimal level, and a shaping
    rate `headroom` above that level's bitrate. Earlier sessions get the higher levels.
    """

    def __init__(self, bitrates_bps: list[float], headroom: float) -> None:
        self._bitrates_bps = bitrates_bps
        self._headroom = headroom
        self._sessions: list[tuple[str, int]] = []

    def opens(self, session: tuple[str, int]) -> None:
        """A session (address, port) was seen; a second SYN of it changes nothing."""
        if session not in self._sessions:
            self._sessions.append(session)

    def closes(self, session: tuple[str, int]) -> bool:
        """A session ended. False when it was not known."""
        if session not in self._sessions:
            return False
        self._sessions.remove(session)
        return True

    def levels(self, link_bps: float) -> dict[tuple[str, int], int]:
        """The optimal level of each session on a link of this rate."""
        levels = optimal_levels(link_bps, self._bitrates_bps, len(self._sessions))
        return dict(zip(self._sessions, levels, strict=True))

    def rate_bps(self, level: int) -> float:
        """The shaping rate that lets a session stream `level`."""
        return self._bitrates_bps[level] * (1 + self._headroom)
