"""JSON written without the json module, whose imports a guest would wait for (RFC 8259)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ESCAPED = {code: f"\\u{code:04x}" for code in range(0x20)} | {0x22: '\\"', 0x5C: "\\\\"}


def write(path: str, value: Any) -> None:
    """Write plain values: dicts by text, lists, tuples, text, numbers, booleans, None."""
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - pathlib costs imports
        file.write(text(value))


def text(value: Any) -> str:
    """The value as JSON. Raises TypeError for what is none of the plain ones."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPED)}"'
    if isinstance(value, list | tuple):
        return f"[{','.join(map(text, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{text(key)}:{text(one)}' for key, one in value.items())}}}"
    raise TypeError(f"{type(value).__name__}: no plain value")
