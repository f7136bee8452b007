"""50,000 requests drawn from the OpenAPI, as everybody: no 5xx, and no answer outside of it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.attacked import Attacked
from weir_testing.platform.drawn import SIGNED_OUT, Asker, drawn_requests
from weir_testing.platform.world import make_world

REQUESTS = 50_000
EXAMPLES = 20
BOUND_S = 3600.0

pytestmark = [pytest.mark.long, pytest.mark.timeout(int(2 * BOUND_S))]


def test_no_drawn_request_finds_a_fault(platform: Platform, tmp_path: Path, api: Attacked) -> None:
    world = make_world(platform, tmp_path)
    askers = {
        role: Asker(api.url, world.values, headers={"Authorization": f"Bearer token-of-{role}"})
        for role in ("read", "submit", "admin", "outsider")
    }
    askers["nobody"] = Asker(api.url, world.values)
    operator = {"weir_session": "session-of-operator"}
    askers["operator"] = Asker(api.url, world.values, cookies=operator, but=SIGNED_OUT)
    until, round_ = time.monotonic() + BOUND_S, 0
    while _asked(askers) < REQUESTS and time.monotonic() < until:
        round_ += 1
        for asked in drawn_requests(list(askers.values()), EXAMPLES, round_):
            if asked >= REQUESTS or time.monotonic() > until:
                break
    wrong = [
        f"{role}: {what}: {each}"
        for role, asker in askers.items()
        for what, each in asker.wrong.items()
    ]
    assert not wrong, "\n\n".join(wrong)
    assert _asked(askers) >= REQUESTS, f"{_asked(askers)} requests were asked in {BOUND_S} s"


def _asked(askers: dict[str, Asker]) -> int:
    return sum(each.asked for each in askers.values())
