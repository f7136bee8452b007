"""Progress of `weir run`: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter

from rich.progress import BarColumn, Progress, TextColumn
from weir_engine.states import BAD, FINISHED, TROUBLES
from weir_engine.task import RunUpdate

from weir_orchestrator.cli.common import level_text, notes

__all__ = ["Tally"]

_PLAIN_EVERY_S = 5.0
_TOLD_AT_MOST = 10


class Tally:
    """Counts finished runs and shows rate, film time, wall time and time left.

    Use as a context manager around the events.
    """

    def __init__(self, runs: int) -> None:
        self.counts: Counter[str] = Counter()
        self.film_s = 0.0
        self._now: dict[str, tuple[float, float]] = {}
        """Seconds of film so far and in all, of runs on the real clock."""
        self._runs = runs
        self._start = time.monotonic()
        self._told = self._start
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(bar_width=24), console=notes
        )
        self._task = self._bar.add_task(self.line(), total=runs)

    def __enter__(self) -> Tally:
        self._start = self._told = time.monotonic()
        if notes.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if notes.is_terminal:
            self._bar.update(self._task, completed=self.done, description=self.line())
            self._bar.stop()
        elif self.done:
            notes.print(self.line(), markup=False)

    @property
    def done(self) -> int:
        """Runs that ended, whichever way."""
        return self.counts.total()

    @property
    def wall_s(self) -> float:
        return time.monotonic() - self._start

    def add(self, event: RunUpdate) -> None:
        """Take note of how far a run is, or of its end; its failure is told at once."""
        if event.film_s is not None:
            self._now[event.task.key] = event.film_s, float(event.task.experiment["duration_s"])
            self._show()
        if event.state == "running":
            return
        self._now.pop(event.task.key, None)
        self.counts[event.state] += 1
        if event.state in FINISHED:
            self.film_s += float(event.task.experiment["duration_s"])
        bad = self.counts["failed"] + self.counts["invalid"]
        if event.state in TROUBLES and bad == _TOLD_AT_MOST + 1:
            notes.print("further ones are not told here: see `weir status`")
        elif event.state in TROUBLES and bad <= _TOLD_AT_MOST:
            task = event.task
            where = level_text(task.levels)
            notes.print(
                f"{event.state}: {task.key[:12]} {where} replicate {task.replicate + 1}: "
                f"{event.reason}",
                markup=False,
            )
        self._show()

    def _show(self) -> None:
        if notes.is_terminal:
            self._bar.update(self._task, completed=self.done, description=self.line())
        elif time.monotonic() - self._told >= _PLAIN_EVERY_S:
            self._told = time.monotonic()
            notes.print(self.line(), markup=False)

    def line(self) -> str:
        """`12/720 runs · 36 min of film in 15 s: 144x · 14 min left`."""
        wall_s = self.wall_s
        parts = [f"{self.done}/{self._runs} runs"]
        if self.film_s:
            rate = self.film_s / max(wall_s, 1e-3)
            parts.append(f"{clock(self.film_s)} of film in {clock(wall_s)}: {rate:.0f}x")
        parts += [f"at {film_s:.0f} of {end_s:.0f} s" for film_s, end_s in self._now.values()]
        if 0 < self.done < self._runs:
            left_s = wall_s * (self._runs - self.done) / self.done
            parts.append(f"{clock(left_s)} left")
        bad = [f"{self.counts[state]} {state}" for state in BAD]
        parts += [text for text in bad if not text.startswith("0 ")]
        return " · ".join(parts)


def clock(time_s: float) -> str:
    """`95` -> `1 min 35 s`."""
    if time_s < 60:
        return f"{time_s:.1f} s" if time_s < 10 else f"{time_s:.0f} s"
    minutes, seconds = divmod(round(time_s), 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
