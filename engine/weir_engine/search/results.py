"""A search's runs become its results: one for each subject, as rows like any campaign's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weir.metrics import Metrics
from weir.metrics.searched import EXCEPTIONS, LEVEL
from weir.spec.search import Search
from weir.spec.search_levels import levels_of, number_of

from weir_engine.search.look import Known, looks
from weir_engine.search.subject import End, Subject

if TYPE_CHECKING:
    from weir_engine.row import Row

__all__ = ["results"]


def results(search: Search, rows: list[Row]) -> list[Row]:
    """For each subject the rows at the level found, without that level among theirs.

    The first has the level, in SI units, and the count of exceptions among the run's metrics: of
    replicates that were searched together there is one result. Where nothing was found, a row that
    says why; where the search still goes on, one that is pending.
    """
    known = Known(search, rows)
    found = (_rows(look.subject, look.end, known) for look in looks(search, rows))
    return [row for some in found for row in some]


def _rows(subject: Subject, end: End | None, known: Known) -> list[Row]:
    at = _level(subject, end)
    there = [known.row(subject.at(at), replicate) for replicate in subject.replicates]
    rows = [replace(row, levels=subject.levels) for row in there if row is not None]
    if end is None:
        return [replace(row, state="pending", reason="", metrics=None) for row in rows]
    if end.level is None:
        return [replace(row, state="invalid", reason=end.reason, metrics=None) for row in rows]
    first, *others = rows
    numbers = {LEVEL: number_of(end.level), EXCEPTIONS: len(end.exceptions)}
    assert first.metrics is not None
    metrics: Metrics = {**first.metrics, "run": {**first.metrics["run"], **numbers}}
    return [replace(first, metrics=metrics), *others]


def _level(subject: Subject, end: End | None) -> str | int:
    """The level whose runs stand for the subject: the one found, else the end `to`, which a search
    that starts at a metric may not have come to: else the end where it began."""
    if end is not None and end.level is not None:
        return end.level
    search = subject.search
    return levels_of(search)[0 if search.start and search.find == "smallest" else -1]
