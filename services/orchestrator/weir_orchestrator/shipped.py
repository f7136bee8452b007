"""What comes with Weir and is no Python: where this checkout, image or wheel has it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

__all__ = ["FOLDERS", "IN_WHEEL", "Part", "folder"]

Part = Literal["page", "documentation", "campaigns", "migrations"]

FOLDERS: Final[dict[Part, str]] = {
    "page": "web/dist",
    "documentation": "build/docs/site",
    "campaigns": "campaigns",
    "migrations": "migrations",
}
"""In a checkout and in an image; there, `make web` and `make docs` make the first two."""
IN_WHEEL: Final = Path(__file__).with_name("shipped_parts")
"""In a wheel, which a release fills: a folder of each part's name. Nowhere else is it there."""
_CHECKOUT: Final = Path(__file__).resolve().parents[3]


def folder(part: Part, in_wheel: Path = IN_WHEEL) -> Path:
    """Where the part is; in a checkout it may not be made yet."""
    return in_wheel / part if in_wheel.is_dir() else _CHECKOUT / FOLDERS[part]
