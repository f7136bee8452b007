"""Levels as text: the way they are shown, and compared with a paper's."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from weir_engine import jsonfile

__all__ = ["identities", "identity", "short", "text"]


def text(level: Any) -> str:
    """A level as the user wrote it, on one line: `sfq`, `discipline: sfq, limit: 1bdp`."""
    if isinstance(level, str):
        return level
    if isinstance(level, dict):
        return ", ".join(f"{name}: {text(value)}" for name, value in level.items())
    return jsonfile.line(level)


def short(path: str) -> str:
    """The telling end of a dotted path: `gateway.shaping.method` -> `shaping method`.

    A last part that says little by itself (method, discipline, mean, a list index) keeps
    the part before it. Places in a list count from one: `clients.0.player` -> `client 1 player`,
    and so do a client's options: `clients.0.options.version` -> `client 1 version`.
    """
    parts = path.replace(".options.", ".").split(".")
    vague = {"method", "discipline", "mean", "stddev", "limit", "start", "stop", "rate", "player",
             "version", "active", "enabled"}  # fmt: skip
    kept = 1
    if len(parts) > 1 and (parts[-1] in vague or parts[-1].isdigit()):
        kept = 3 if parts[-2].isdigit() else 2
    words = [
        str(int(part) + 1) if part.isdigit() else part.removesuffix("s" if after.isdigit() else "")
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
    ]
    return " ".join(words[-kept:]).replace("_", " ")


def identity(levels: Mapping[str, Any]) -> str:
    """64 bits of SHA-256 of a combination's levels, in hex: the same in every campaign."""
    ordered = jsonfile.line(dict(sorted(levels.items())))
    return hashlib.sha256(ordered.encode()).hexdigest()[:16]


def identities(each: Iterable[Mapping[str, Any]]) -> list[str]:
    """Of many, among which one object may come many times."""
    levels = list(each)
    known = {number: identity(one) for number, one in {id(one): one for one in levels}.items()}
    return [known[id(one)] for one in levels]
