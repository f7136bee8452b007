"""One check: a row of checks.json."""

from __future__ import annotations

from typing import Any

from weir.records import Check, Command

__all__ = ["check", "lines"]


def check(
    name: str, asked: Any, applied: Any, measured: Any, tolerance: float | None, ok: bool
) -> Check:
    """One row of checks.json; every value in the unit that the name ends in."""
    return {
        "name": name,
        "asked": asked,
        "applied": applied,
        "measured": measured,
        "tolerance": tolerance,
        "ok": bool(ok),
    }


def lines(applied: list[Command], *words: str) -> list[str]:
    return [one["line"] for one in applied if all(word in one["line"] for word in words)]
