"""What is wrong with a campaign's search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weir.errors import Problem, SpecError
from weir.spec.experiment import Experiment
from weir.spec.names import nearest
from weir.spec.schematree import takes_numbers, wrong_step
from weir.spec.search import Search
from weir.spec.search_levels import levels_of

__all__ = ["problems_of"]


def problems_of(
    search: Search, factors: list[str], paths: set[str], scopes: Mapping[str, str]
) -> Iterator[Problem]:
    """By paths that start at the campaign.

    factors: those beside it, by their names. paths: the places in the experiment that they set.
    scopes: name of a metric -> what it is of: run, client, ..., or search.
    """
    yield from _factor_problems(search.factor, paths)
    yield from _metric_problems(search, scopes)
    if search.near is not None and search.near not in factors:
        found = nearest(search.near, factors)
        hint = f"did you mean {found}?" if found else "name a factor, or leave near out"
        yield Problem("search.near", search.near, f"factors: {', '.join(factors) or 'none'}", hint)
    try:
        levels_of(search)
    except SpecError as error:
        for each in error.problems:
            yield Problem(f"search.{each.path}", each.value, each.allowed, each.remedy)


def _factor_problems(path: str, paths: set[str]) -> Iterator[Problem]:
    where = "search.factor"
    if (advice := wrong_step(Experiment, path)) is not None:
        yield Problem(where, path, "a path in the experiment", f"no such path; {advice}")
    elif not takes_numbers(Experiment, path):
        yield Problem(where, path, "a field that takes a quantity or a number",
                      "list its levels as a factor instead")  # fmt: skip
    for other in sorted(paths):
        if path == other or path.startswith(f"{other}.") or other.startswith(f"{path}."):
            yield Problem(where, path, "a path that no factor sets",
                          f"{other} is a factor already; keep one")  # fmt: skip


def _metric_problems(search: Search, scopes: Mapping[str, str]) -> Iterator[Problem]:
    passes = search.passes
    yield from _name_problems("search.passes.metric", passes.metric, scopes, ("run", "client"))
    if search.start is not None:
        yield from _name_problems("search.start", search.start, scopes, ("run",))
    low, high = passes.at_least, passes.at_most
    if low is None and high is None:
        yield Problem("search.passes", None, "at_most, at_least or both", "name a bound")
    elif low is not None and high is not None and low > high:
        yield Problem("search.passes.at_least", low, f"at most {high:g}, as at_most is",
                      "no value is within both; swap them, or remove one")  # fmt: skip


def _name_problems(
    where: str, name: str, scopes: Mapping[str, str], wanted: tuple[str, ...]
) -> Iterator[Problem]:
    if name not in scopes:
        near = nearest(name, scopes)
        hint = f"did you mean {near}?" if near else "docs/reference.md lists them"
        yield Problem(where, name, "a metric's name", hint)
    elif scopes[name] not in wanted:
        yield Problem(where, name, f"a metric of the {' or a '.join(wanted)}",
                      f"it is one of a {scopes[name]}; name another")  # fmt: skip
