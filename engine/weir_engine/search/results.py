"""A search's runs become its results: one for each subject, as rows like any campaign's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from weir.metrics import Metrics
from weir.metrics.searched import EXCEPTIONS, LEVEL
from weir.spec.search import Search, levels_of, number_of

from weir_engine.levels import text
from weir_engine.search.subject import End, Subject, subjects
from weir_engine.search.verdict import Judged, judged
from weir_engine.states import BAD

if TYPE_CHECKING:
    from weir_engine.row import Row

__all__ = ["Known", "results"]


class Known:
    """Rows by levels and replicate, and what they say."""

    def __init__(self, search: Search, rows: list[Row]) -> None:
        self._search = search
        self._rows = {_name(row.levels, row.replicate): row for row in rows}

    def row(self, levels: Mapping[str, Any], replicate: int) -> Row | None:
        """None: not tried."""
        return self._rows.get(_name(levels, replicate))

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


def results(search: Search, rows: list[Row]) -> list[Row]:
    """For each subject the rows at the level found, without that level among theirs.

    The first has the level, in SI units, and the count of exceptions among the run's metrics: of
    replicates that were searched together there is one result. Where nothing was found, a row that
    says why; where the search still goes on, one that is pending.
    """
    known = Known(search, rows)
    found: list[Row] = []
    for subject in subjects(search, [(row.levels, row.replicate) for row in rows]):
        _, end = subject.narrow(known.verdict)
        found += _rows(subject, end, known)
    return found


def _rows(subject: Subject, end: End | list[str | int], known: Known) -> list[Row]:
    at = _level(subject, end)
    there = [known.row(subject.at(at), replicate) for replicate in subject.replicates]
    rows = [replace(row, levels=subject.levels) for row in there if row is not None]
    if isinstance(end, list):
        return [replace(row, state="pending", reason="", metrics=None) for row in rows]
    if end.level is None:
        return [replace(row, state="invalid", reason=end.reason, metrics=None) for row in rows]
    first, *others = rows
    numbers = {LEVEL: number_of(end.level), EXCEPTIONS: len(end.exceptions)}
    assert first.metrics is not None
    metrics: Metrics = {**first.metrics, "run": {**first.metrics["run"], **numbers}}
    return [replace(first, metrics=metrics), *others]


def _level(subject: Subject, end: End | list[str | int]) -> str | int:
    """The level whose runs stand for the subject: the one found, else the end `to`, which a search
    that starts at a metric may not have come to: else the end where it began."""
    if isinstance(end, End) and end.level is not None:
        return end.level
    search = subject.search
    return levels_of(search)[0 if search.start and search.find == "smallest" else -1]


def _name(levels: Mapping[str, Any], replicate: int) -> tuple[object, ...]:
    return (*sorted((path, text(level)) for path, level in levels.items()), replicate)
