"""The picture: two fields of text, drawn without scripts, fonts or references to anything."""

from __future__ import annotations

from html import escape
from typing import Final

from weir_orchestrator.db import Night

__all__ = ["drawn", "words"]

_COLOURS: Final = {
    "same": "#2f7d4f",
    "not worse": "#2f7d4f",
    "worse": "#b3372f",
    "cannot tell": "#8a6d00",
    "not compared": "#5f6368",
    "not judged": "#5f6368",
}
_CHARACTER_PX: Final = 6.6
"""On average, of Verdana's 11 px; the text is fitted to the field in any other."""
_MARGIN_PX: Final = 10
_LONGEST: Final = 60
_DRAWING: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{told}">
<title>{told}</title>
<rect width="{width}" height="20" rx="3" fill="#444"/>
<path d="M{left} 0h{flat}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{flat}z" fill="{colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{name_at}" y="14" textLength="{name_px}">{name}</text>
<text x="{verdict_at}" y="14" textLength="{verdict_px}">{verdict}</text>
</g>
</svg>
"""


def words(night: Night | None) -> tuple[str, str]:
    """The verdict, and what is written of it."""
    if night is None:
        return "not judged", "not judged"
    return night.verdict, f"{night.worse} worse" if night.verdict == "worse" else night.verdict


def drawn(name: str, night: Night | None) -> str:
    """SVG, 20 px high."""
    verdict, said = words(night)
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    name_px, verdict_px = (round(_CHARACTER_PX * len(text)) for text in (short, said))
    left = name_px + _MARGIN_PX
    right = verdict_px + _MARGIN_PX
    return _DRAWING.format(
        width=left + right,
        left=left,
        flat=right - 3,
        colour=_COLOURS[verdict],
        name=escape(short),
        verdict=escape(said),
        told=escape(f"{short}: {said}"),
        name_at=left / 2,
        verdict_at=left + right / 2,
        name_px=name_px,
        verdict_px=verdict_px,
    )
