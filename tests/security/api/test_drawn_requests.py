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
        role: Asker(headers={"Authorization": f"Bearer token-of-{role}"})
        for role in ("read", "submit", "admin", "outsider")
    }
    askers["nobody"] = Asker()
    askers["operator"] = Asker(cookies={"weir_session": "session-of-operator"}, but=SIGNED_OUT)
    began, round_ = time.monotonic(), 0
    while sum(each.asked for each in askers.values()) < REQUESTS:
        round_ += 1
        for role, asker in askers.items():
            for _ in drawn_requests(api.url, asker, world.values, EXAMPLES, round_):
                assert time.monotonic() - began < BOUND_S, "it takes too long"
            print(f"{time.monotonic() - began:.0f} s: {role} asked {asker.asked}", flush=True)
    wrong = [f"{role}: {each}" for role, asker in askers.items() for each in asker.wrong]
    assert not wrong, "\n\n".join(wrong)
