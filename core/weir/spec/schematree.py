"""Which dotted paths the experiment's models have: for factors, overrides and near misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel

from weir import units
from weir.spec.names import nearest

__all__ = [
    "ANY_KEY",
    "Place",
    "children",
    "place_of",
    "split_path",
    "takes_numbers",
    "wrong_step",
]

ANY_KEY = "*"
"""Stands for the keys of a free mapping, such as a player's options."""

INDEX = "#"
"""Stands for the positions of a list."""


def children(annotations: list[Any]) -> dict[str, list[Any]]:
    """Key -> annotations of what stands there, over every branch of a union."""
    found: dict[str, list[Any]] = {}
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            for name, field in annotation.model_fields.items():
                found.setdefault(field.alias or name, []).append(field.annotation)
            continue
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is list:
            found.setdefault(INDEX, []).append(args[0])
        elif origin is dict:
            found.setdefault(ANY_KEY, []).append(args[1])
        elif args and hasattr(annotation, "__metadata__"):
            _merge(found, children([args[0]]))
        elif args:
            _merge(found, children([arg for arg in args if not isinstance(arg, str)]))
    return found


def _merge(into: dict[str, list[Any]], more: dict[str, list[Any]]) -> None:
    for key, branches in more.items():
        into.setdefault(key, []).extend(branches)


def split_path(model: type[BaseModel], path: str) -> list[str | int]:
    """Dotted path -> keys and positions. The key of a free mapping may itself hold dots.

    `server.sysctls.net.ipv4.tcp_sack` -> ["server", "sysctls", "net.ipv4.tcp_sack"]. The path
    must be one that `wrong_step` accepts.
    """
    parts = path.split(".")
    steps: list[str | int] = []
    here: list[Any] = [model]
    for position, part in enumerate(parts):
        below = children(here)
        if ANY_KEY in below and not children(below[ANY_KEY]):
            return [*steps, ".".join(parts[position:])]
        key = _key(below, part)
        here = below.get(key, [])
        steps.append(int(part) if key == INDEX else part)
    return steps


def wrong_step(model: type[BaseModel], path: str) -> str | None:
    """None when the path exists; otherwise what is wrong with it, naming the nearest that does."""
    here: list[Any] = [model]
    done: list[str] = []
    for part in path.split("."):
        below = children(here)
        if ANY_KEY in below and not children(below[ANY_KEY]):
            return None
        key = _key(below, part)
        if key not in below or part == INDEX:
            return _advice(path, done, part, list(below))
        here = below[key]
        done.append(part)
    return None


def takes_numbers(model: type[BaseModel], path: str) -> bool:
    """Whether a number or a quantity may stand at a path, which must be one that `wrong_step`
    accepts."""
    here: list[Any] = [model]
    for step in split_path(model, path):
        below = children(here)
        key = INDEX if isinstance(step, int) else str(step)
        here = below.get(key, below.get(ANY_KEY, []))
    return any(_is_number(annotation) for annotation in here)


def _is_number(annotation: Any) -> bool:
    """Whether it, or a branch of it, is one. A mapping's or a list's parts are not it."""
    if get_origin(annotation) in (dict, list, Literal):
        return False
    branches = get_args(annotation)
    if branches:
        return any(_is_number(branch) for branch in branches)
    return annotation in (int, float, units.Limit, Any)


def _key(below: dict[str, list[Any]], part: str) -> str:
    """What stands for `part` among the children."""
    if ANY_KEY in below:
        return ANY_KEY
    return INDEX if INDEX in below and part.isdecimal() else part


def _advice(path: str, done: list[str], part: str, below: list[str]) -> str:
    place = ".".join(done)
    if below == [INDEX]:
        return f"{place} is a list; name a position: {place}.0"
    if not below:
        return f"{place} has no parts; use {place} itself"
    near = nearest(part, [key for key in below if key != INDEX])
    if near is not None:
        rest = path.split(".")[len(done) + 1 :]
        return f"did you mean {'.'.join([*done, near, *rest])}?"
    return f"{place or 'an experiment'} has {', '.join(k for k in below if k != INDEX)}"


class Place(NamedTuple):
    """Where an error of a model stands.

    path: dotted, as written. keys: those that may stand there. others: the name of each other
    model that a word in the same mapping would have chosen -> its keys.
    """

    path: str
    keys: list[str]
    others: dict[str, list[str]]


def place_of(model: type[BaseModel], loc: Sequence[str | int]) -> Place:
    """The place that pydantic names by `loc`: without the names of a union's branches, which it
    puts between the keys.
    """
    here: list[Any] = [model]
    steps: list[str] = []
    others: dict[str, list[str]] = {}
    for part in loc:
        branches = _named_branches(here)
        if part in branches:
            here = [branches.pop(str(part))]
            others = {name: _keys([branch]) for name, branch in branches.items()}
        elif not str(part).startswith("<") and part != "[key]":
            below = children(here)
            here = below.get(INDEX if isinstance(part, int) else part, below.get(ANY_KEY, []))
            steps.append(str(part))
            others = {}
    return Place(".".join(steps), _keys(here), others)


def _named_branches(annotations: list[Any]) -> dict[str, type[BaseModel]]:
    """Name -> model, for the models of unions that a key with one allowed word tells apart."""
    found: dict[str, type[BaseModel]] = {}
    for annotation in annotations:
        for branch in get_args(annotation):
            found.update(_named_branches([branch]))
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            words = [get_args(field.annotation) for field in annotation.model_fields.values()
                     if get_origin(field.annotation) is Literal]  # fmt: skip
            found.update({each[0]: annotation for each in words if len(each) == 1})
    return found


def _keys(annotations: list[Any]) -> list[str]:
    return [key for key in children(annotations) if key not in (ANY_KEY, INDEX)]
