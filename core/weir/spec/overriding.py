"""`--set path=value`: values set in the experiment before the factors are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.errors import Problem, SpecError
from weir.spec.experiment import Experiment
from weir.spec.factors import level_key, same_level
from weir.spec.merge import set_at
from weir.spec.schematree import split_path
from weir.spec.yamlfile import parse_yaml

__all__ = ["applied", "parse_override"]


def parse_override(text: str) -> tuple[str, Any]:
    """`gateway.shaping.method=rwtm` -> path and value, the value read as YAML. Raises SpecError."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        remedy = "write for example --set gateway.downlink.rate=4Mbit/s"
        raise SpecError([Problem("--set", text, "path=value", remedy)])
    return path.strip(), parse_yaml(value, f"--set {path.strip()}")


def applied(raw: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """The campaign's document with the overrides in. Their paths must exist in the schema.

    A factor of an override's path keeps that one level; in a zip, the path leaves its group.
    Exclusions that can no longer apply are dropped. Raises SpecError: an override that a factor
    would undo, a list position that does not exist.
    """
    result = dict(raw)
    factors = dict(raw.get("factors") or {})
    named = {name: levels for name, levels in factors.items() if isinstance(levels, Mapping)}
    zips = [dict(group) for group in raw.get("zip") or []]
    problems: list[Problem] = []
    for path, value in overrides.items():
        if value is None:
            remedy = "an override sets a value; write one after the ="
            problems.append(Problem(f"--set {path}", "null", "a value", remedy))
            continue
        if path in named:
            if str(value) not in named[path]:
                allowed = ", ".join(named[path])
                problems.append(Problem(f"--set {path}", value, allowed, "name one of them"))
            else:
                factors[path] = {str(value): named[path][str(value)]}
            continue
        undoing = [name for name, levels in named.items() if _touches(path, levels)]
        if undoing:
            remedy = f"the factor {undoing[0]} sets that place; choose its level instead"
            problems.append(Problem(f"--set {path}", value, "", remedy))
            continue
        above = [
            factor
            for factor in (*(factors.keys() - named.keys()), *(p for group in zips for p in group))
            if path.startswith(f"{factor}.")
        ]
        if above:
            remedy = f"the factor {above[0]} would undo it; set {above[0]} as a whole"
            problems.append(Problem(f"--set {path}", value, "", remedy))
            continue
        try:
            steps = split_path(Experiment, path)
            result["experiment"] = set_at(result["experiment"], steps, value)
        except KeyError as error:
            problems.append(Problem(f"--set {path}", value, "", error.args[0]))
            continue
        zipped = any(group.pop(path, None) is not None for group in zips)
        if path in factors or zipped:
            factors[path] = [value]
    if problems:
        raise SpecError(problems)
    result["factors"] = factors
    result["zip"] = [_unique(group) for group in zips if group]
    chosen = {path: str(v) if path in named else v for path, v in overrides.items()}

    def applies(levels: Mapping[str, Any]) -> bool:
        return all(same_level(chosen[p], level) for p, level in levels.items() if p in chosen)

    result["exclude"] = [levels for levels in raw.get("exclude") or [] if applies(levels)]
    result["replicates_where"] = [
        rule for rule in raw.get("replicates_where") or [] if applies(rule["levels"])
    ]
    return result


def _touches(path: str, levels: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a named factor sets this place, or one above or below it."""
    return any(
        place == path or place.startswith(f"{path}.") or path.startswith(f"{place}.")
        for sets in levels.values()
        for place in sets
    )


def _unique(group: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """A zip without the points that became equal when one of its paths left."""
    points = {level_key(point): point for point in zip(*group.values(), strict=False)}
    columns = zip(*points.values(), strict=True)
    return {path: list(column) for path, column in zip(group, columns, strict=True)}
