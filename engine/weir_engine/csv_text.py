"""Text in CSV files, which spreadsheets open."""

from __future__ import annotations

import re
from typing import Any, Final

__all__ = ["inert"]

_FORMULA: Final = re.compile(r"[=+\-@\t\r\n]")
_NUMBER: Final = re.compile(r"[+-]?[0-9][0-9.]*([eE][+-]?[0-9]+)?")


def inert(value: Any) -> Any:
    """The value; text that a spreadsheet would carry out as a formula, behind an apostrophe.

    Source: OWASP, CSV Injection.
    """
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"
