"""A known change put into a series of nights, and what is said of it."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from weir_bench.common import show
from weir_bench.known_changes import CHANGES, Change
from weir_bench.nightly import Nightly, opened
from weir_engine.regression import SHOWN
from weir_lab.kernel import cache

__all__ = ["Size", "inject_all"]

_ENOUGH: Final = 0.95


@dataclass(frozen=True)
class Size:
    """trials: of each change. bisected: of how many the commit is looked for, of the first ones
    that are in a file."""

    trials: int
    bisected: int
    nights: int
    commits: int
    combinations: int
    replicates: int = 24


@dataclass(frozen=True)
class _Found:
    """differs: whether that night any number does. worse: whether its verdict is. metrics: those
    of which that night anything is shown. distances: of each change point, in nights, from the
    change; below 0: before it. right_commit: None, it was not looked for. steps: commits that were
    run for that.
    """

    change: str
    differs: bool
    worse: bool
    metrics: int
    distances: Sequence[int]
    right_commit: bool | None
    steps: int
    told: str


def inject_all(size: Size, as_json: bool) -> int:
    """Print what was found, and what that cost this time; 1 where less than 95 % of the changes
    were found, a commit was not, or too few were looked for."""
    found: list[_Found] = []
    started = time.perf_counter()
    with opened(cache.root() / "bench" / "injected") as nightly:
        known = nightly.results()
        try:
            for trial in range(size.trials):
                for change in CHANGES:
                    looked_for = sum(each.right_commit is not None for each in found)
                    bisects = change.in_file and looked_for < size.bisected
                    found.append(_inject(nightly, change, trial, size, bisects))
                    print(f"{trial + 1}: {found[-1]}", file=sys.stderr)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
        runs = nightly.results() - known
    wall_s = round(time.perf_counter() - started)
    show({**_summary(found), "runs_before": known, "runs": runs, "wall_s": wall_s}, as_json)
    shown = sum(each.metrics > 0 for each in found) >= _ENOUGH * len(found)
    right = [each.right_commit for each in found if each.right_commit is not None]
    return 0 if shown and all(right) and len(right) >= size.bisected else 1


def _inject(nightly: Nightly, change: Change, trial: int, size: Size, bisects: bool) -> _Found:
    """Run a series of nights; into one of them, drawn, comes the change, by one of many commits.

    Each trial has its own seeds. The other commits edit the file and change nothing.
    """
    drawn = random.Random(f"{change.name} {trial}")
    at, first_bad = drawn.randrange(1, size.nights), drawn.randrange(size.commits)
    path = f"{change.name}/{trial}/{change.file}"
    asked = trial + 1, size.replicates, size.combinations
    nightly.git.commit({path: change.content(bad=False, edits=0)})
    schedule = nightly.schedule(
        f"{change.name} {trial}", change.campaign(*asked, bad=False), change.file, path
    )
    nights: list[Any] = []
    commits: list[str] = []
    for number in range(size.nights):
        if number == at and change.in_file:
            contents = [change.content(n >= first_bad, n + 1) for n in range(size.commits)]
            commits = [nightly.git.commit({path: each}) for each in contents]
        elif number == at:
            nightly.submit_from_now_on(schedule, change.campaign(*asked, bad=True))
        nights.append(nightly.night(schedule))
        if number == at:
            shown = [each for each in nightly.board(schedule)["points"] if each["verdict"] in SHOWN]
    that = nights[at]["night"]
    places = {each["campaign"]: place for place, each in enumerate(nights)}
    bisection = nightly.bisected(schedule, nights[at]["campaign"]) if bisects else None
    return _Found(
        change.name,
        that["changed"] > 0,
        that["verdict"] == "worse",
        len(shown),
        [places[each["campaign"]] - at for each in nightly.changes(schedule)],
        bisection["first_bad"] == commits[first_bad] if bisection else None,
        len(bisection["steps"]) if bisection else 0,
        "; ".join(that["told"][:2]),
    )


def _summary(found: Sequence[_Found]) -> dict[str, Any]:
    """Shares over all, and for each change."""
    told: dict[str, Any] = {"changes": len(found), **_shares(found)}
    for name in dict.fromkeys(each.change for each in found):
        told[name] = ", ".join(
            f"{what} {share}"
            for what, share in _shares([each for each in found if each.change == name]).items()
        )
    return told


def _shares(found: Sequence[_Found]) -> dict[str, Any]:
    distances = [distance for each in found for distance in each.distances]
    looked_for = [each for each in found if each.right_commit is not None]
    return {
        "differs": _share([each.differs for each in found]),
        "found_that_night": _share([each.metrics > 0 for each in found]),
        "worse": _share([each.worse for each in found]),
        "change_points_that_night": _share([distance == 0 for distance in distances]),
        "farthest_nights": max(map(abs, distances), default=0),
        "right_commit": _share([bool(each.right_commit) for each in looked_for]),
        "commits_run": sum(each.steps for each in found),
    }


def _share(each: Sequence[bool]) -> str:
    return f"{sum(each)} of {len(each)}"
