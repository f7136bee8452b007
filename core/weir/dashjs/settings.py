"""A tree of dash.js's settings: as its updateSettings takes it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["buffer_most_s", "leaves", "mistyped", "nested", "types_of", "unknown"]

_BUFFER_TIMES = ("bufferTimeDefault", "bufferTimeAtTopQuality", "bufferTimeAtTopQualityLongForm")
"""In `streaming.buffer`: how many seconds of media are fetched ahead, each in another state."""

_TYPES: tuple[tuple[Any, str], ...] = (
    (bool, "boolean"),
    (int | float, "number"),
    (str, "string"),
    (list, "array"),
    (Mapping, "object"),
    (type(None), "null"),
)


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
    settings: Mapping[str, Any],
    known: Mapping[str, Any],
    types: Mapping[str, Sequence[str]],
    above: str = "",
) -> Iterator[tuple[str, list[str]]]:
    """(dotted path, what there is beside it) of each setting that is not among those known.

    types: of those without a default, and of what may stand in them (weir.pinned).
    """
    beside = list(known) or _below_in(types, above)
    for key, value in settings.items():
        path = f"{above}{key}"
        if key not in beside:
            yield path, beside
        elif isinstance(value, Mapping):
            default = known.get(key)
            if isinstance(default, Mapping) or _below_in(types, f"{path}."):
                yield from unknown(value, default or {}, types, f"{path}.")


def _below_in(types: Mapping[str, Sequence[str]], above: str) -> list[str]:
    """Keys right below a path that ends in a dot."""
    below = (path.removeprefix(above) for path in types if above and path.startswith(above))
    return [key for key in below if "." not in key]


def mistyped(
    settings: Mapping[str, Any],
    known: Mapping[str, Any],
    types: Mapping[str, Sequence[str]],
    above: str = "",
) -> Iterator[tuple[str, Any, Sequence[str]]]:
    """(dotted path, value, JSON's types that it may be of) of each known setting that is of none.

    It may be of its default's; types: of those without one, as for `unknown`. No type: it takes
    code, which no campaign can give.
    """
    for key, value in settings.items():
        path = f"{above}{key}"
        allowed = types_of(known.get(key), path, types)
        if allowed is not None and type_of(value) not in allowed:
            yield path, value, allowed
        elif isinstance(value, Mapping):
            yield from mistyped(value, known.get(key) or {}, types, f"{path}.")


def types_of(default: Any, path: str, types: Mapping[str, Sequence[str]]) -> Sequence[str] | None:
    """JSON's types that the setting of this path may be of; None where it is not known."""
    if path in types:
        return types[path]
    return None if default is None else [type_of(default)]


def type_of(value: Any) -> str:
    """JSON's name of its type; JSON has no number that is not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return next((name for kind, name in _TYPES if isinstance(value, kind)), type(value).__name__)


def buffer_most_s(settings: Mapping[str, Any], buffer_s: float) -> float:
    """How much media a player with this tree of settings and this buffer fetches ahead at most."""
    asked = settings.get("streaming", {}).get("buffer", {})
    return max(float(asked.get(name, buffer_s)) for name in _BUFFER_TIMES)
