"""A tree of dash.js's settings: as its updateSettings takes it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["buffer_most_s", "leaves", "mistyped", "nested", "unknown"]

_BUFFER_TIMES = ("bufferTimeDefault", "bufferTimeAtTopQuality", "bufferTimeAtTopQualityLongForm")
"""In `streaming.buffer`: how many seconds of media are fetched ahead, each in another state."""


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The tree, keys in order, where some of them may be dotted: {"a.b": 1} is {"a": {"b": 1}}."""
    tree: dict[str, Any] = {}
    for path, value in settings.items():
        *above, last = path.split(".")
        at = tree
        for key in above:
            at = _below(at, key)
        if isinstance(value, Mapping):
            _merge(_below(at, last), nested(value))
        else:
            at[last] = value
    return _in_order(tree)


def _below(tree: dict[str, Any], key: str) -> dict[str, Any]:
    if not isinstance(tree.get(key), dict):
        tree[key] = {}
    below: dict[str, Any] = tree[key]
    return below


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, Mapping):
            _merge(_below(into, key), value)
        else:
            into[key] = value


def _in_order(tree: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _in_order(value) if isinstance(value, dict) else value
        for key, value in sorted(tree.items())
    }


def leaves(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """(dotted path, value) of all that is no tree itself."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def unknown(
    settings: Mapping[str, Any], known: Mapping[str, Any], above: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """(dotted path, what there is beside it) of each setting that is not among those known."""
    for key, value in settings.items():
        path = f"{above}{key}"
        if key not in known:
            yield path, list(known)
        elif isinstance(value, Mapping) and isinstance(known[key], Mapping):
            yield from unknown(value, known[key], f"{path}.")


def mistyped(
    settings: Mapping[str, Any], known: Mapping[str, Any], above: str = ""
) -> Iterator[tuple[str, Any, str]]:
    """(dotted path, value, what it must be) of each known setting of another type than its default.

    Where the default is null, anything may stand.
    """
    for key, value in settings.items():
        default, path = known.get(key), f"{above}{key}"
        if isinstance(value, float) and not math.isfinite(value):
            yield path, value, "a finite number"
        elif default is None:
            continue
        elif isinstance(value, Mapping) and isinstance(default, Mapping):
            yield from mistyped(value, default, f"{path}.")
        elif _kind(value) != _kind(default):
            yield path, value, _kind(default)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "keys and values"


def buffer_most_s(settings: Mapping[str, Any], buffer_s: float) -> float:
    """How much media a player with this tree of settings and this buffer fetches ahead at most."""
    asked = settings.get("streaming", {}).get("buffer", {})
    return max(float(asked.get(name, buffer_s)) for name in _BUFFER_TIMES)
