"""The runs of one or more campaigns by a paper's axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from weir.metrics import CATALOG, Metrics
from weir.spec.paper import Paper

from weir_engine.campaign_record import DescribedCampaign
from weir_engine.levels import text
from weir_engine.row import Row
from weir_engine.search.unit import found_unit

__all__ = ["Observation", "Pool", "pool"]

Held = tuple[tuple[str, str], ...]
"""What a run had, as sorted (axis or factor, level)."""


@dataclass(frozen=True)
class Observation:
    """One succeeded run. levels: axis -> level, without axes that its campaign does not have.

    rest: its levels of factors that are no axis of the paper. outcome: the same number for runs
    that came out identical in every metric.
    """

    levels: Mapping[str, str]
    rest: Held
    seed: int
    metrics: Metrics
    outcome: int
    row: Row

    def held(self, without: set[str]) -> Held:
        """All that it had but for some axes: what must be the same in a pair."""
        own = ((axis, level) for axis, level in self.levels.items() if axis not in without)
        return tuple(sorted([*own, *self.rest]))


@dataclass(frozen=True)
class Pool:
    """Observations, each run once however many campaigns contain it.

    strangers: (axis, level) of runs that the paper's axes do not know -> how many runs; they are
    left out. level_unit: of the levels that the campaigns' searches find; "" where these differ.
    """

    paper: Paper
    observations: tuple[Observation, ...]
    strangers: Mapping[tuple[str, str], int]
    level_unit: str = ""

    def select(self, where: Mapping[str, list[str]]) -> list[Observation]:
        """Those with one of the levels named, for every axis named."""
        return [
            each
            for each in self.observations
            if all(each.levels.get(axis) in levels for axis, levels in where.items())
        ]

    def value(self, observation: Observation, metric: str, client: int | None) -> float | None:
        """A metric of a run; one of clients is that of the client of this rank, or their mean."""
        share = self.paper.metrics.get(metric)
        if share is None:
            return _measured(observation.metrics, metric, client)
        part = [_measured(observation.metrics, name, client) for name in share.part]
        whole = [_measured(observation.metrics, name, client) for name in share.of]
        known = [value for value in whole if value is not None]
        if None in part or len(known) < len(whole) or not sum(known):
            return None
        return 100 * sum(value for value in part if value is not None) / sum(known)


def pool(paper: Paper, campaigns: Sequence[tuple[DescribedCampaign, list[Row]]]) -> Pool:
    """campaigns: record and rows of each."""
    observations: list[Observation] = []
    strangers: Counter[tuple[str, str]] = Counter()
    keys: set[str] = set()
    for record, rows in campaigns:
        for row in rows:
            if row.state != "succeeded" or row.metrics is None or row.key in keys:
                continue
            keys.add(row.key)
            levels, rest = _levels(paper, record, row)
            unknown = {a: v for a, v in levels.items() if v not in paper.axes[a].levels}
            strangers.update(unknown.items())
            if unknown:
                continue
            own = Observation(levels, rest, row.seed, row.metrics, row.digest, row)
            observations.append(own)
    units = {found_unit(record["spec"]) for record, _ in campaigns if record["spec"].get("search")}
    level_unit = units.pop() if len(units) == 1 else ""
    return Pool(paper, tuple(observations), strangers, level_unit)


def _levels(paper: Paper, record: DescribedCampaign, row: Row) -> tuple[dict[str, str], Held]:
    levels: dict[str, str] = {}
    factors = {name: axis.factor or name for name, axis in paper.axes.items()}
    for name, factor in factors.items():
        if factor == "campaign":
            levels[name] = record["name"]
        elif factor in row.levels:
            levels[name] = text(row.levels[factor])
        else:
            fixed = _at(record["spec"]["experiment"], factor)
            if fixed is not None:
                levels[name] = text(fixed)
    rest = {path: text(level) for path, level in row.levels.items()}
    for factor in factors.values():
        rest.pop(factor, None)
    return levels, tuple(rest.items())


def _at(experiment: Any, path: str) -> Any:
    """What the campaign says there for all its runs; None where it is silent."""
    here = experiment
    for part in path.split("."):
        if isinstance(here, list) and part.isdecimal() and int(part) < len(here):
            here = here[int(part)]
        elif isinstance(here, dict):
            here = here.get(part)
        else:
            return None
    return here


def _measured(metrics: Metrics, name: str, client: int | None) -> float | None:
    if CATALOG[name].scope == "run":
        value = metrics["run"].get(name)
        return None if value is None else float(value)
    chosen = [each for each in metrics["clients"] if client in {None, each["rank"]}]
    values = [each.get(name) for each in chosen]
    known = [float(value) for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None
