"""Two campaigns, or two runs, beside each other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np
from pydantic import TypeAdapter
from weir.metrics import CATALOG
from weir.runkey import canonical_json

from weir_orchestrator.api.results.compared import compared
from weir_orchestrator.api.results.groups import told
from weir_orchestrator.api.results.pairing import (
    Column,
    Side,
    levelled,
    pooled_levels,
)
from weir_orchestrator.api.results.schemas import Difference, Pair

__all__ = ["contrasts", "differences", "paired", "pairs"]

SIGNIFICANT: Final = 0.05
_PAIRS: Final = TypeAdapter(list[Pair])
_LONG: Final = 20
_LONG_TEXT: Final = 1000


def pairs(
    a: Side, b: Side, factors: Sequence[str], metric: str
) -> tuple[list[Pair], list[dict[str, Any]], list[dict[str, Any]]]:
    """(pairs of groups of the same levels, levels that only a has, levels that only b has)."""
    left, right = (levelled(side, factors, {}) for side in (a, b))
    both = [key for key in left if key in right]
    found = paired([(left[key], right[key]) for key in both], [metric] * len(both))
    only_a = [own.levels for key, own in left.items() if key not in right]
    only_b = [own.levels for key, own in right.items() if key not in left]
    return found, only_a, only_b


def contrasts(
    side: Side, factors: Sequence[str], base: tuple[str, ...], metric: str
) -> list[Pair] | None:
    """Each other group of a campaign (b) against the one at these levels (a); None: no such."""
    groups = levelled(side, factors, pooled_levels(side[1], factors))
    first = groups.pop(base, None)
    if first is None:
        return None
    return paired([(first, each) for each in groups.values()], [metric] * len(groups))


def paired(both: list[tuple[Column, Column]], metrics: Sequence[str]) -> list[Pair]:
    """b - a of each, adjusted over all of them together. metrics: of which one each is."""
    found = list(compared(both))
    adjusted = _adjusted([each.difference.p_value for each in found])
    return _PAIRS.validate_python(
        [
            {
                **told(each.difference),
                "levels": b.levels,
                "p_adjusted": p,
                "better": _better(each.difference.difference, p, metric),
                "a": told(each.a),
                "b": told(each.b),
            }
            for (_, b), each, p, metric in zip(both, found, adjusted, metrics, strict=True)
        ]
    )


def _adjusted(p_values: list[float]) -> list[float | None]:
    p = np.array(p_values, dtype=np.float64)
    known = np.isfinite(p)
    out: list[float | None] = [None] * len(p)
    if known.any():
        from scipy.stats import false_discovery_control  # noqa: PLC0415 - slow to import

        adjusted = false_discovery_control(p[known])
        for place, value in zip(np.flatnonzero(known).tolist(), adjusted.tolist(), strict=True):
            out[place] = value
    return out


def _better(difference: float, p: float | None, metric: str) -> Literal["a", "b"] | None:
    way = CATALOG[metric].better
    if way is None or p is None or p >= SIGNIFICANT or difference == 0:
        return None
    return "b" if (difference > 0) == (way == "higher") else "a"


def differences(a: Any, b: Any) -> list[Difference]:
    """Where two JSON values differ, by dotted path; long lists and texts are told by their hash."""
    return [
        Difference(path=path, a=_brief(left), b=_brief(right))
        for path, left, right in _differing(a, b, "")
    ]


def _differing(a: Any, b: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys([*a, *b]):
            yield from _differing(a.get(name), b.get(name), f"{path}.{name}".lstrip("."))
    elif _of_dicts(a) and _of_dicts(b):
        for index in range(max(len(a), len(b))):
            left = a[index] if index < len(a) else None
            right = b[index] if index < len(b) else None
            yield from _differing(left, right, f"{path}.{index}".lstrip("."))
    else:
        yield path, a, b


def _of_dicts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _brief(value: Any) -> Any:
    if isinstance(value, list) and len(value) > _LONG:
        digest = hashlib.sha256(canonical_json(value).encode()).hexdigest()
        return f"{len(value)} items, SHA-256 {digest[:12]}"
    if isinstance(value, str) and len(value) > _LONG_TEXT:
        digest = hashlib.sha256(value.encode()).hexdigest()
        return f"{len(value)} characters, SHA-256 {digest[:12]}"
    if isinstance(value, dict):
        return {name: _brief(inner) for name, inner in value.items()}
    return value
