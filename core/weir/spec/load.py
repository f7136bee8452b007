"""Reading a campaign: merge, override, check. After it, expansion cannot surprise much."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from weir.errors import Problem, SpecError
from weir.spec import overriding, question, search_rules
from weir.spec.campaign import Campaign
from weir.spec.combination import Combiner
from weir.spec.experiment import Experiment
from weir.spec.factors import Axes, Grid, level_key, same_level
from weir.spec.files import inside
from weir.spec.merge import document
from weir.spec.named_levels import in_full, is_place_of
from weir.spec.names import nearest
from weir.spec.paper_load import load_paper
from weir.spec.problems import from_validation
from weir.spec.schematree import wrong_step
from weir.spec.search_levels import levels_of

__all__ = ["all_levels", "load_campaign", "parse_campaign"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def load_campaign(
    path: Path,
    overrides: Mapping[str, Any] | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    *,
    confined: bool = False,
) -> Campaign:
    """The campaign in a YAML or JSON file, checked: every level is sound in some combination.

    overrides: dotted path in the experiment -> value, set before the factors; a factor of that
    path is replaced by the one level. confined: no file outside the campaign's folder is read.
    Raises SpecError with all problems found.
    """
    merged = document(path, confined=confined)
    return parse_campaign(merged, path.parent, overrides, replicates, seed, confined=confined)


def parse_campaign(
    content: Mapping[str, Any],
    folder: Path,
    overrides: Mapping[str, Any] | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    *,
    confined: bool = False,
) -> Campaign:
    """As load_campaign, from a document whose base is merged already."""
    raw = dict(content)
    raw.update({k: v for k, v in (("replicates", replicates), ("seed", seed)) if v is not None})
    if replicates is not None:
        raw.pop("replicates_where", None)
    if "factors" in raw:
        raw["factors"] = in_full(raw["factors"])
    search = raw.get("search")
    if overrides and isinstance(search, Mapping) and search.get("factor") in overrides:
        raw.pop("search")
    if overrides and not {*overrides}.isdisjoint(raw.get("factors") or {}):
        raw.pop("question", None)
    if overrides:
        own = _parse(raw).named
        _check(_unknown_paths("", {p: v for p, v in overrides.items() if p not in own}, "--set "))
        raw = overriding.applied(raw, overrides)
    campaign = _parse(raw)
    campaign._folder = folder
    campaign._confined = confined
    _check(_search_problems(campaign))
    _check(_factor_problems(campaign))
    _check(_exclusion_problems(campaign))
    _check(_question_problems(campaign))
    _check(_level_problems(campaign))
    if campaign.paper_path is not None:
        there = inside(folder, str(campaign.paper)) if confined else campaign.paper_path.is_file()
        if not there:
            remedy = "there is no such file; paths are relative to the campaign's file"
            raise SpecError([Problem("paper", campaign.paper, "a readable file", remedy)])
        load_paper(campaign.paper_path)
    return campaign


def all_levels(axes: Axes) -> dict[str, list[Any]]:
    """Factor path -> its levels in order, each once."""
    levels: dict[str, dict[str, Any]] = {}
    for axis in axes:
        for point in axis:
            for path, level in point.items():
                levels.setdefault(path, {}).setdefault(level_key(level), level)
    return {path: list(each.values()) for path, each in levels.items()}


def _parse(raw: Mapping[str, Any]) -> Campaign:
    try:
        return Campaign.model_validate(raw)
    except ValidationError as error:
        problems = from_validation(error, Campaign)
        raise SpecError(
            Problem(p.path, p.value, "at least one level", "add a level or remove the factor")
            if (p.value == [] or (p.value == {} and p.path.count(".") == 1))
            and p.path.startswith(("factors.", "zip."))
            else p
            for p in problems
        ) from None


def _check(problems: Iterator[Problem]) -> None:
    found = list(dict.fromkeys(_hashable(problems)))
    if found:
        raise SpecError(found)


def _hashable(problems: Iterator[Problem]) -> Iterator[Problem]:
    for p in problems:
        value = p.value if isinstance(p.value, str | int | float | bool | None) else repr(p.value)
        yield Problem(p.path, value, p.allowed, p.remedy)


def _unknown_paths(prefix: str, paths: Mapping[str, Any], label: str = "") -> Iterator[Problem]:
    for path, level in paths.items():
        advice = wrong_step(Experiment, path)
        if advice is not None:
            where = f"{label}{prefix}{path}"
            yield Problem(where, level, "a path in the experiment", f"no such path; {advice}")


def _search_problems(campaign: Campaign) -> Iterator[Problem]:
    if campaign.search is None:
        return
    from weir.metrics import CATALOG, searched  # noqa: PLC0415 - heavy

    if campaign.replicate_seeds:
        yield Problem("replicate_seeds", len(campaign.replicate_seeds), "none beside a search",
                      "remove them; a search's seeds come from `seed`")  # fmt: skip
    own = campaign.named
    sets = [*campaign.zip, *(level for levels in own.values() for level in levels.values())]
    paths = {path for path in campaign.factors if path not in own}.union(*sets)
    factors = [*campaign.factors, *(path for group in campaign.zip for path in group)]
    scopes: dict[str, str] = {name: info.scope for name, info in CATALOG.items()}
    scopes |= {info.name: "search" for info in searched.INFO}
    yield from search_rules.problems_of(campaign.search, factors, paths, scopes)


def _question_problems(campaign: Campaign) -> Iterator[Problem]:
    if campaign.question is None:
        return
    from weir.metrics import CATALOG  # noqa: PLC0415 - heavy

    rules: dict[str, bool] = {
        "search": campaign.search is not None,
        "exclude": bool(campaign.exclude),
        "replicates_where": bool(campaign.replicates_where),
    }
    better = {name: info.better for name, info in CATALOG.items()}
    axes, replicates = campaign.axes(), campaign.replicates
    yield from question.problems_of(campaign.question, axes, rules, better, replicates)


def _factor_problems(campaign: Campaign) -> Iterator[Problem]:
    groups: list[tuple[str, dict[str, Any]]] = []
    for factor, levels in campaign.factors.items():
        if isinstance(levels, dict):
            yield from _name_problems(factor, levels)
            paths = {path: value for sets in levels.values() for path, value in sets.items()}
            groups.append((f"factors.{factor}.", paths))
        else:
            groups.append(("factors.", {factor: levels}))
    groups += [(f"zip.{i}.", dict(group)) for i, group in enumerate(campaign.zip)]
    seen: list[str] = []
    for prefix, group in groups:
        yield from _unknown_paths(prefix, group)
        for path in group:
            for other in seen:
                if path == other or path.startswith(f"{other}.") or other.startswith(f"{path}."):
                    remedy = f"{other} is a factor already and sets the same place; keep one"
                    yield Problem(f"{prefix}{path}", None, "", remedy)
            seen.append(path)
    for index, zipped in enumerate(campaign.zip):
        lengths = {path: len(levels) for path, levels in zipped.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{path}: {length}" for path, length in lengths.items())
            yield Problem(f"zip.{index}", shown, "lists of equal length", "add or remove levels")
            return
    for axis in campaign.axes():
        points: set[str] = set()
        for number, point in enumerate(axis):
            key = level_key(point)
            if key in points:
                path, level = next(iter(point.items()))
                where = f"factors.{path}[{number}]" if len(point) == 1 else f"zip of {path}"
                yield Problem(where, level, "levels that differ", "it stands twice; remove one")
            points.add(key)


def _name_problems(factor: str, levels: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    if not any(levels.values()):
        remedy = "add a path and its value to a level, or remove the factor"
        yield Problem(f"factors.{factor}", None, "levels of which at least one sets something",
                      remedy)  # fmt: skip
    if wrong_step(Experiment, factor) is None:
        if not is_place_of(factor, levels):
            allowed = f"named levels that set nothing but what is below {factor}"
            remedy = "give it another name, or list the path's levels"
            yield Problem(f"factors.{factor}", None, allowed, remedy)
    elif not _NAME.fullmatch(factor):
        yield Problem(f"factors.{factor}", None, "a name of letters, digits, _ and -",
                      "rename it; a path takes a list of levels")  # fmt: skip


def _exclusion_problems(campaign: Campaign) -> Iterator[Problem]:
    axes = campaign.axes()
    levels = all_levels(axes)
    searched = campaign.search.factor if campaign.search else None
    rules = [(f"exclude.{index}", exclusion) for index, exclusion in enumerate(campaign.exclude)]
    rules += [
        (f"replicates_where.{index}.levels", rule.levels)
        for index, rule in enumerate(campaign.replicates_where)
    ]
    for where_rule, rule in rules:
        for path, level in rule.items():
            where = f"{where_rule}.{path}"
            if path == searched:
                others = [factor for factor in levels if factor != searched]
                yield Problem(where, level, f"factors: {', '.join(others) or 'none'}",
                              "its levels are the search's to choose; leave it out")  # fmt: skip
            elif path not in levels:
                near = nearest(path, levels)
                hint = f"did you mean {near}?" if near else "name a factor"
                yield Problem(where, level, f"factors: {', '.join(levels) or 'none'}", hint)
            elif not any(same_level(level, other) for other in levels[path]):
                near = nearest(str(level), [str(other) for other in levels[path]])
                shown = ", ".join(str(other) for other in levels[path])
                hint = f"did you mean {near}?" if near else "write it as in the factor"
                yield Problem(where, level, f"levels: {shown}", hint)
    if campaign.exclude and next(Grid(axes, campaign.exclude).combinations(), None) is None:
        yield Problem("exclude", None, "", "it leaves no combination; remove an exclusion")


def _level_problems(campaign: Campaign) -> Iterator[Problem]:
    """Build the first combination of every level: the sum of the levels, not their product."""
    axes = campaign.axes()
    grid = Grid(axes, campaign.exclude)
    combiner = Combiner(campaign, all_levels(axes), campaign.files())
    points = [grid.point(chosen) for chosen in grid.covering()]
    if campaign.search is not None and points:
        # That both ends are sound does not say that what lies between them in steps is.
        points.append({**points[0], campaign.search.factor: levels_of(campaign.search)[1]})
    for number, point in enumerate(points):
        try:
            combiner.build(point)
        except SpecError as error:
            yield from error.problems
            if number == 0:
                return
