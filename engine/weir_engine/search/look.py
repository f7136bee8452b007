"""How far a search is: by the runs that there are, and what comes next. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weir.spec.search import Search
from weir.spec.search_levels import number_of

from weir_engine.search.subject import End, Subject, narrowed, run_name, subjects
from weir_engine.search.verdict import Judged, judged
from weir_engine.states import BAD

if TYPE_CHECKING:
    from weir_engine.row import Row

__all__ = ["Known", "Look", "Trial", "looks"]


class Known:
    """Rows by levels and replicate, and what they say."""

    def __init__(self, search: Search, rows: list[Row]) -> None:
        self._search = search
        self._rows = {run_name(row.levels, row.replicate): row for row in rows}

    def row(self, levels: Mapping[str, Any], replicate: int) -> Row | None:
        """None: not tried."""
        return self._rows.get(run_name(levels, replicate))

    def verdict(self, levels: Mapping[str, Any], replicate: int) -> Judged | str | None:
        """As `subject.Verdict`."""
        row = self.row(levels, replicate)
        if row is None or row.state not in (*BAD, "succeeded"):
            return None
        if row.state != "succeeded" or row.metrics is None:
            return f"the run {row.key[:12]} is {row.state}: {row.reason}"
        said = judged(row.metrics, self._search.passes, self._search.start)
        metric = self._search.passes.metric
        return f"{metric} is not defined for the run {row.key[:12]}" if said is None else said


@dataclass(frozen=True)
class Trial:
    """A level that a subject has come to. said: of all its replicates, as `subject.Verdict`.
    keys: of its runs that there are."""

    level: str | int
    said: Judged | str | None
    keys: tuple[str, ...]

    @property
    def passes(self) -> bool | None:
        """None: not known, or nobody can tell."""
        return self.said.passes if isinstance(self.said, Judged) else None


@dataclass(frozen=True)
class Look:
    """trials: in the order of levels. end: None while it goes on. wanted: levels and replicate of
    the runs that it needs next and that nobody has asked for yet."""

    subject: Subject
    trials: tuple[Trial, ...]
    end: End | None
    wanted: tuple[tuple[dict[str, Any], int], ...]

    @property
    def bracket(self) -> tuple[str | int | None, str | int | None]:
        """The last level that fails and the first that passes after it, between which the found
        one is; None for what is not known. Before the end only: confirming goes beyond it."""
        away = 1 if self.subject.search.find == "smallest" else -1
        order = sorted(self.trials, key=lambda trial: away * number_of(trial.level))
        passed = next((i for i, trial in enumerate(order) if trial.passes), len(order))
        failed = [trial.level for trial in order[:passed] if trial.passes is False]
        return (
            failed[-1] if failed else None,
            order[passed].level if passed < len(order) else None,
        )


def looks(search: Search, rows: list[Row]) -> list[Look]:
    """Of every subject, in the order of rows."""
    known = Known(search, rows)
    there = [(row.levels, row.replicate) for row in rows]
    return [_look(*each, known) for each in narrowed(subjects(search, there), known.verdict)]


def _look(
    subject: Subject, tried: list[str | int], after: End | list[str | int], known: Known
) -> Look:
    trials = tuple(_trial(subject, level, known) for level in tried)
    if isinstance(after, End):
        return Look(subject, trials, after, ())
    wanted = [(subject.at(level), one) for level in after for one in subject.replicates]
    return Look(subject, trials, None, tuple(each for each in wanted if known.row(*each) is None))


def _trial(subject: Subject, level: str | int, known: Known) -> Trial:
    rows = [known.row(subject.at(level), replicate) for replicate in subject.replicates]
    keys = tuple(row.key for row in rows if row is not None)
    return Trial(level, subject.said(level, known.verdict), keys)
