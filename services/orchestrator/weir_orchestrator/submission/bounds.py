"""Limits that are looked at before a campaign from the network costs time or memory.

Exclusions make a satisfiability problem of the grid, so finding its first combination or counting
all can take for ever; either few combinations or few exclusions keep both short.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from weir.errors import Problem, SpecError

__all__ = ["MAX_RUNS", "check_bounds", "check_plain"]

MAX_RUNS = 100_000_000
_MAX_DEPTH = 64
_MAX_FACTORS = 200
_MAX_LEVELS = 5_000
_MAX_PARTIAL_CHOICES = 1 << 20
_SURROGATES = range(0xD800, 0xE000)


def check_bounds(document: Mapping[str, Any]) -> None:
    """Raises SpecError for a merged document whose check or count could take long."""
    check_plain(document)
    factors = document.get("factors")
    sizes = [_length(levels) for levels in factors.values()] if isinstance(factors, dict) else []
    groups = document.get("zip")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict):
            sizes += [max([_length(levels) for levels in group.values()], default=0)]
    rules = _length(document.get("exclude")) + _length(document.get("replicates_where"))
    product = math.prod(size for size in sizes if size)
    problems = []
    if len(sizes) > _MAX_FACTORS:
        problems.append(_too_many("factors", len(sizes), f"at most {_MAX_FACTORS} factors"))
    if sum(sizes) > _MAX_LEVELS:
        allowed = f"at most {_MAX_LEVELS:,} levels in all"
        problems.append(_too_many("factors", f"{sum(sizes):,} levels", allowed))
    if rules and product > _MAX_PARTIAL_CHOICES < 1 << min(rules, 64):
        allowed = f"at most 20, where the levels make more than {_MAX_PARTIAL_CHOICES:,}"
        problems.append(_too_many("exclude", f"{rules} exclusions and rules", allowed))
    if problems:
        raise SpecError(problems)


def check_plain(value: Any, path: str = "") -> None:
    """Raises SpecError for what no database takes or JSON cannot say.

    That is: characters NUL and surrogates, infinite numbers, YAML's own types, keys that are no
    words, and deeper nesting than any campaign needs.
    """
    for problem in _not_plain(value, path, 0):
        raise SpecError([problem])


def _not_plain(value: Any, path: str, depth: int) -> Iterator[Problem]:
    if depth > _MAX_DEPTH:
        yield Problem(path[:200], None, f"at most {_MAX_DEPTH} levels of nesting", "flatten it")
    elif isinstance(value, str):
        if "\0" in value or any(ord(character) in _SURROGATES for character in value):
            yield Problem(path, ascii(value), "text", "remove the character that is no text")
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield Problem(path, str(value), "a finite number", "write a smaller number")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _not_plain(item, f"{path}.{index}", depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            shown = str(key).encode("ascii", "backslashreplace").decode().replace("\0", "\\0")
            where = f"{path}.{shown}".removeprefix(".")
            if not isinstance(key, str):
                yield Problem(where, repr(key), "words as keys", "put it in quotes")
            yield from _not_plain(str(key), where, depth + 1)
            yield from _not_plain(item, where, depth + 1)
    elif value is not None and not isinstance(value, int):
        yield Problem(path, repr(value), "text, number, list or mapping", "remove the tag")


def _length(value: Any) -> int:
    return len(value) if isinstance(value, list | dict) else 0


def _too_many(path: str, value: Any, allowed: str) -> Problem:
    return Problem(path, value, allowed, "split the campaign into several")
