"""JSON Schema as Markdown: a heading and a table for each kind of object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

__all__ = ["cell", "default", "kind", "section"]

Link = Callable[[str], str]
"""Name of a definition -> where it is described."""

_BOUNDS: Final = {
    "minimum": "≥ {}",
    "exclusiveMinimum": "> {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minItems": "at least {}",
    "maxItems": "at most {}",
}
_ENORMOUS: Final = 2**53


def section(name: str, schema: dict[str, Any], link: Link) -> str:
    """`## Name`, what it is, and a row for each of its fields."""
    lines = [f"## {name}", "", schema.get("description", ""), ""]
    if fields := schema.get("properties", {}):
        needed = dict.fromkeys(schema.get("required", ()), "needed")
        lines += ["| field | is | default | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{field}` | {cell(kind(of, link))} | {needed.get(field) or default(of)} "
            f"| {cell(_meaning(of))} |"
            for field, of in fields.items()
        ]
    else:
        lines.append(f"{kind(schema, link)}.")
    return "\n".join([*lines, "", ""])


def kind(schema: Any, link: Link) -> str:
    """What a value may be, in words."""
    match schema:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            found = f"[{name}]({link(name)})"
        case {"anyOf": several} | {"oneOf": several}:
            kinds = [kind(each, link) for each in several if each != {"type": "null"}]
            found = _either(list(dict.fromkeys(kinds)))
        case {"const": value}:
            found = f"`{value}`"
        case {"enum": values}:
            found = ", ".join(f"`{each}`" for each in values)
        case {"type": "array"}:
            found = _bounded(f"list of {kind(schema.get('items'), link)}", schema)
        case {"type": "object", "additionalProperties": dict(values)}:
            found = f"mapping to {kind(values, link)}"
        case {"type": "object"}:
            found = "mapping"
        case {"type": str()}:
            found = _bounded(_scalar(schema), schema)
        case _:
            found = "anything"
    return found


def default(schema: dict[str, Any]) -> str:
    """A field's value where none is given; empty where that is nothing."""
    value = schema.get("default")
    return "" if value in (None, "", [], {}) else f"`{cell(_literal(value))}`"


def cell(text: str) -> str:
    """Text that may stand in a table's cell."""
    return re.sub(r"\s*\n\s*", " ", text).replace("|", "\\|")


def _either(kinds: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(kinds[:-1]), *kinds[-1:])))


def _literal(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _scalar(schema: dict[str, Any]) -> str:
    words = {"string": "text", "integer": "whole number", "boolean": "`true`, `false`"}
    name = words.get(schema["type"], str(schema["type"]))
    # Quantities tell their units where they are defined.
    units = re.search(r"Units?: (.*?)\.?$", schema.get("description", ""))
    if name == "text" and units:
        return f"quantity in {units[1]}"
    return {"uuid": "UUID", "date-time": "date and time"}.get(schema.get("format", ""), name)


def _bounded(what: str, schema: dict[str, Any]) -> str:
    said = [
        text.format(schema[bound])
        for bound, text in _BOUNDS.items()
        if bound in schema and abs(schema[bound]) < _ENORMOUS
    ]
    return ", ".join([what, *said])


def _meaning(schema: dict[str, Any]) -> str:
    told = str(schema.get("description", ""))
    example = next(iter(schema.get("examples", [])), None)
    if example is None:
        return told
    return f"{told} Such as `{_literal(example)}`.".strip()
