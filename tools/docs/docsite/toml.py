"""Writing TOML, which Python's own library only reads."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["written"]


def written(document: dict[str, Any]) -> str:
    """A document of tables, lists, texts, numbers and booleans."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in document.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value)
