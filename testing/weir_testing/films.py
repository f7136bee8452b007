"""A campaign whose film comes from elsewhere, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.resolved_film import Content
from weir.spec.load import parse_campaign

LADDER = ["100kbit/s", "200kbit/s"]


def document(sizes: Any, **content: Any) -> dict[str, Any]:
    experiment = {
        "duration": "20s",
        "content": {"ladder": LADDER, "segment": "4s", "sizes": sizes, **content},
        "gateway": {"downlink": {"rate": "8Mbit/s", "queue": {"limit": "67packets"}}},
        "clients": [{"player": "bba2", "buffer": "240s"}],
    }
    return {"name": "x", "experiment": experiment}


def film(folder: Path, sizes: Any, **content: Any) -> Content:
    campaign = parse_campaign(document(sizes, **content), folder)
    return next(Expansion(campaign).runs()).experiment["content"]


def refused(folder: Path, sizes: Any, **content: Any) -> Problem:
    with pytest.raises(SpecError) as error:
        parse_campaign(document(sizes, **content), folder)
    (problem,) = error.value.problems
    assert problem.remedy and problem.path.startswith("experiment.content")
    return problem


def sabre(**changed: Any) -> str:
    movie = {
        "segment_duration_ms": 4000,
        "bitrates_kbps": [100, 200],
        "segment_sizes_bits": [[800, 1600], [400, 2400], [808, 1608]],
    }
    return json.dumps({**movie, **changed})
