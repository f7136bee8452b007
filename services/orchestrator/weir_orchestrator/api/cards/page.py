"""A card as one HTML file: no scripts, nothing from elsewhere; for phones and the dark, too."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any, Final

import jinja2

from weir_orchestrator.api.cards.schemas import MOST_RUNS, CardCampaign, CardRun
from weir_orchestrator.db import Card, Reproduction

__all__ = ["policy", "rendered"]

_DIGITS: Final = 5
_LARGE: Final = 10**_DIGITS
_REPRODUCIBLE: Final = (
    "What is reproduced are the runs of these nights at the trend's combination, by their keys: "
    "its means and intervals follow from them. A night's runs need the lab kernel and the programs "
    "that they were made with. Verdicts beside a baseline are kept as they were."
)


def rendered(card: Card, reproduced: Reproduction | None = None) -> str:
    """The file. Of people it names nobody, of the platform no address.

    reproduced: the last one that ended, if any.
    """
    made_of = [CardCampaign.model_validate(each) for each in card.campaigns]
    picture = None
    if card.picture is not None:
        content = base64.b64encode(card.picture).decode()
        picture = f"data:{card.picture_type};base64,{content}"
    return (
        _environment()
        .get_template("card.html.j2")
        .render(
            card=card,
            picture=picture,
            campaigns=[each for each in made_of if each.night is None],
            nights=[each for each in made_of if each.night is not None],
            reproducible=_REPRODUCIBLE,
            runs=[CardRun.model_validate(each) for each in card.runs],
            most_runs=MOST_RUNS,
            verdict=reproduced and _verdict(reproduced),
            style=_style(),
            policy=_policy(),
        )
    )


def policy() -> str:
    """Content-Security-Policy of the page: its own style and picture, and nothing runs."""
    return f"{_policy()}; frame-ancestors 'none'; sandbox"


def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"


@cache
def _style() -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, "card.css")[0]


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weir_orchestrator.api.cards"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["shown"] = _shown
    return environment


def _verdict(reproduced: Reproduction) -> str:
    """In a sentence. What was not carried out again counts with what could not be compared."""
    assert reproduced.ended_at is not None
    differing = len(reproduced.differing)
    others = reproduced.runs - reproduced.same - differing + sum(n for _, n in reproduced.left_out)
    total = reproduced.same + differing + others
    same = f"all {total}" if reproduced.same == total else f"{reproduced.same} of {total}"
    parts = [f"{same} runs have the same bytes"]
    if differing:
        parts.append(f"{differing} {'differs' if differing == 1 else 'differ'}")
    if others:
        parts.append(f"{others} could not be compared")
    return f"Carried out again {reproduced.ended_at:%Y-%m-%d %H:%M} UTC: {', '.join(parts)}."


def _shown(cell: Any) -> str:
    if cell is None:
        return "\N{EN DASH}"
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:,.0f}" if abs(cell) >= _LARGE else f"{cell:.{_DIGITS}g}"
