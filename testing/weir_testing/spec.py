"""A small campaign, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir.spec.merge import set_at


def document(**experiment: Any) -> dict[str, Any]:
    """A sound campaign of one run; keywords (a__b=...) are set in its experiment."""
    content: Any = {
        "duration": "180s",
        "content": {"ladder": ["248kbit/s", "928kbit/s"]},
        "gateway": {
            "downlink": {"rate": "8Mbit/s", "queue": {"discipline": "sfq"}},
            "path": {"rtt": {"mean": "100ms"}},
        },
        "clients": [{"player": "aggressive-rate"}],
    }
    for path, value in experiment.items():
        content = set_at(content, [int(p) if p.isdigit() else p for p in path.split("__")], value)
    return {"name": "x", "experiment": content}


def problems_of(raw: dict[str, Any], folder: Path = Path()) -> list[Problem]:
    with pytest.raises(SpecError) as refused:
        parse_campaign(raw, folder)
    assert str(refused.value)
    return refused.value.problems


def resolved(folder: Path = Path(), **experiment: Any) -> Any:
    return next(Expansion(parse_campaign(document(**experiment), folder)).runs()).experiment
