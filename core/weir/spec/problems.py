"""From pydantic's errors to `Problem`s: the path as written, what is allowed, what to do."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from weir.errors import Problem
from weir.spec.names import nearest
from weir.spec.schematree import place_of

__all__ = ["SCALAR", "from_validation", "unknown_key"]

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

SCALAR = ("text, a finite number, true or false", "write a single value")
_NESTED = (
    f"{SCALAR[0]}, or keys and values",
    f"{SCALAR[1]}, or keys and values where it takes them",
)
_NESTED_BRANCH = "dict[str,any]"


def from_validation(
    error: ValidationError, model: type[BaseModel], prefix: str = ""
) -> list[Problem]:
    """Every error as a Problem; `model` is what was validated, `prefix` is put before paths."""
    found: dict[str, Problem] = {}
    details = error.errors(include_url=False)
    nested = {detail["loc"][:-1] for detail in details if detail["loc"][-1:] == (_NESTED_BRANCH,)}
    for detail in details:
        loc = _without_branches(detail["loc"])
        problem = _problem(detail["type"], detail, loc, model)
        if len(loc) < len(detail["loc"]) and detail["type"] != "string_pattern_mismatch":
            allowed = _NESTED if loc in nested else SCALAR
            problem = Problem(place_of(model, loc).path, detail["input"], *allowed)
        path = ".".join(part for part in (prefix, problem.path) if part)
        found.setdefault(path, Problem(path, problem.value, problem.allowed, problem.remedy))
    return list(found.values())


def _problem(kind: str, detail: Any, loc: tuple[str | int, ...], model: type[BaseModel]) -> Problem:
    path, value = place_of(model, loc).path, None if kind == "missing" else detail["input"]
    if kind == "extra_forbidden":
        mapping, key = place_of(model, loc[:-1]), str(loc[-1])
        having = [name for name, keys in mapping.others.items() if key in keys]
        if having:
            remedy = f"{key} belongs to {', '.join(having)}; remove it"
            return Problem(path, value, f"the keys {', '.join(mapping.keys)}", remedy)
        return unknown_key(path, value, key, mapping.keys)
    if kind == "union_tag_invalid":
        key, word = detail["ctx"]["discriminator"].strip("'()"), detail["ctx"]["tag"]
        return Problem(f"{path}.{key}", word, *_one_of(detail["ctx"]["expected_tags"], word))
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
        return _one_of(context["expected"], value)
    if kind == "string_pattern_mismatch":
        return f"text like {context['pattern']}", "change it to match"
    return _PLAIN.get(kind, ("", _sentence(detail["msg"])))


def _one_of(expected: str, value: object) -> tuple[str, str]:
    """From pydantic's list of words, 'a', 'b' or 'c'."""
    words = [word.strip("'") for word in expected.replace(" or ", ", ").split(", ")]
    names = [word for word in words if not word.startswith("<")]
    near = nearest(str(value), names)
    return ", ".join(names), f"did you mean {near}?" if near else "write one of them"


def _without_branches(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Drop the names pydantic gives to the branches of scalar unions (options, sysctls)."""
    branches = {"str", "int", "float", "bool", _NESTED_BRANCH}
    end = len(loc)
    while end > 1 and (loc[end - 1] in branches or str(loc[end - 1]).startswith("constrained-str")):
        end -= 1
    return loc[:end]


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:]
