"""Campaigns that once broke a rule, as small as they could be made: a JSON file for each."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path

from weir_testing.swarm.search import Found
from weir_testing.swarm.values import Document

__all__ = ["campaigns", "keep"]

FOLDER = Path(__file__).parent / "corpus"


def campaigns() -> dict[str, Document]:
    """By the name of their file: the rule that each broke."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}


def keep(found: Found) -> None:
    """Write its campaign, beside earlier ones that broke the same rule."""
    FOLDER.mkdir(exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", found.rule.lower()).strip("-")
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    free = next(each for each in names if not (FOLDER / f"{each}.json").exists())
    text = json.dumps({**found.campaign, "description": found.said}, indent=1)
    (FOLDER / f"{free}.json").write_text(text + "\n")
