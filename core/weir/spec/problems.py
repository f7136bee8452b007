"""From pydantic's errors to `Problem`s: the path as written, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from weir.errors import Problem
from weir.spec.names import nearest
from weir.spec.schematree import keys_at

__all__ = ["dotted", "from_validation", "unknown_key"]

_PLAIN = {
    "missing": ("", "it is required; add it"),
    "string_type": ("text", "write text, in quotes if it looks like a number"),
    "bool_type": ("true or false", "write true or false"),
    "int_type": ("a whole number", "write a whole number"),
    "list_type": ("a list", "write a list: [..., ...]"),
    "tuple_type": ("a list", "write a list: [..., ...]"),
    "dict_type": ("keys and values", "write keys and values"),
    "model_type": ("keys and values", "write keys and values"),
    "model_attributes_type": ("keys and values", "write keys and values"),
}

_SCALAR = ("text, a finite number, true or false", "write a single value")


def dotted(loc: Sequence[str | int]) -> str:
    """("clients", 0, "start") -> "clients.0.start", without the union tags of the models."""
    parts = [str(part) for part in loc]
    return ".".join(p for p in parts if not (p.startswith("<") or p == "[key]"))


def from_validation(
    error: ValidationError, model: type[BaseModel], prefix: str = ""
) -> list[Problem]:
    """Every error as a Problem; `model` is what was validated, `prefix` is put before paths."""
    found: dict[str, Problem] = {}
    for detail in error.errors(include_url=False):
        loc = _without_branches(detail["loc"])
        problem = _problem(detail["type"], detail, loc, model)
        if len(loc) < len(detail["loc"]) and detail["type"] != "string_pattern_mismatch":
            problem = Problem(dotted(loc), detail["input"], *_SCALAR)
        path = ".".join(part for part in (prefix, problem.path) if part)
        found.setdefault(path, Problem(path, problem.value, problem.allowed, problem.remedy))
    return list(found.values())


def _problem(kind: str, detail: Any, loc: tuple[str | int, ...], model: type[BaseModel]) -> Problem:
    path, value = dotted(loc), None if kind == "missing" else detail["input"]
    if kind == "extra_forbidden":
        return unknown_key(path, value, str(loc[-1]), keys_at(model, dotted(loc[:-1])))
    return Problem(path, value, *_allowed_and_remedy(kind, detail, value))


def unknown_key(path: str, value: Any, key: str, known: list[str]) -> Problem:
    """The problem of a key that does not exist, naming the nearest that does."""
    near = nearest(key, known)
    remedy = f"unknown key; did you mean {near}?" if near else "unknown key; remove it"
    return Problem(path, value, "the keys " + ", ".join(known), remedy)


def _allowed_and_remedy(kind: str, detail: Any, value: object) -> tuple[str, str]:
    context = detail.get("ctx", {})
    if kind == "weir":
        return context["allowed"], _sentence(context["remedy"])
    if kind == "literal_error":
        names = [word.strip("'") for word in context["expected"].replace(" or ", ", ").split(", ")]
        near = nearest(str(value), names)
        return ", ".join(names), f"did you mean {near}?" if near else "write one of them"
    if kind == "string_pattern_mismatch":
        return f"text like {context['pattern']}", "change it to match"
    return _PLAIN.get(kind, ("", _sentence(detail["msg"])))


def _without_branches(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Drop the names pydantic gives to the branches of scalar unions (options, sysctls)."""
    branches = {"str", "int", "float", "bool"}
    end = len(loc)
    while end > 1 and (loc[end - 1] in branches or str(loc[end - 1]).startswith("constrained-str")):
        end -= 1
    return loc[:end]


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:]
