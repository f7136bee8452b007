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
    zips = [dict(group) for group in raw.get("zip") or []]
    problems: list[Problem] = []
    for path, value in overrides.items():
        if value is None:
            remedy = "an override sets a value; write one after the ="
            problems.append(Problem(f"--set {path}", "null", "a value", remedy))
            continue
        above = [f for f in (*factors, *(p for g in zips for p in g)) if path.startswith(f"{f}.")]
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
    result["exclude"] = [
        exclusion
        for exclusion in raw.get("exclude") or []
        if all(same_level(overrides[p], lv) for p, lv in exclusion.items() if p in overrides)
    ]
    return result


def _unique(group: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """A zip without the points that became equal when one of its paths left."""
    points = {level_key(point): point for point in zip(*group.values(), strict=False)}
    columns = zip(*points.values(), strict=True)
    return {path: list(column) for path, column in zip(group, columns, strict=True)}
