"""The playback buffer: pure arithmetic on times that the caller gives.

Playback starts when the buffer holds at least `startup_s` (0: with the first segment). It stalls
when the buffer runs empty, and resumes when the buffer holds at least `resume_s` again (0: with
the next segment). Always: level_s + played_s = seconds of media added, level_s >= 0, and
waited_s + played_s + stalled_s = time passed.
"""

from __future__ import annotations


class PlaybackBuffer:
    """A buffer that plays at speed 1. All values in seconds."""

    __slots__ = (
        "level_s", "now_s", "played_s", "playing", "resume_s", "stalled_s", "started", "startup_s",
        "waited_s",
    )  # fmt: skip

    def __init__(self, now_s: float, startup_s: float = 0.0, resume_s: float = 0.0) -> None:
        self.now_s = now_s
        self.startup_s = startup_s
        self.resume_s = resume_s
        self.level_s = 0.0  # media downloaded and not yet played
        self.played_s = 0.0
        self.waited_s = 0.0  # before the start of playback
        self.stalled_s = 0.0  # after it
        self.started = False
        self.playing = False

    def advance(self, now_s: float) -> None:
        """Play until now_s; a time before the last one given changes nothing."""
        passed = now_s - self.now_s
        if passed <= 0.0:
            return
        self.now_s = now_s
        if not self.started:
            self.waited_s += passed
        elif not self.playing:
            self.stalled_s += passed
        elif passed < self.level_s:
            self.level_s -= passed
            self.played_s += passed
        else:
            self.played_s += self.level_s
            self.stalled_s += passed - self.level_s
            self.level_s = 0.0
            self.playing = False

    def add(self, media_s: float) -> None:
        """Add downloaded media at the current time; playback may start or resume."""
        self.level_s += media_s
        if not self.playing:
            self.playing = self.level_s >= (self.resume_s if self.started else self.startup_s)
            self.started = self.started or self.playing
