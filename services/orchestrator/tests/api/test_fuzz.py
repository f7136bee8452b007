"""Requests drawn from the OpenAPI: no 500, no answer that the OpenAPI does not tell of.

50,000 of them, as everybody: tests/security/api.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from weir_orchestrator.db import Membership
from weir_testing.platform import Platform, id_of
from weir_testing.platform.drawn import SIGNED_OUT, Asker, drawn_requests
from weir_testing.platform.served import served
from weir_testing.platform.world import make_world

EXAMPLES: Final = 3


def test_every_answer_is_one_that_the_openapi_tells_of(platform: Platform, tmp_path: Path) -> None:
    world = make_world(platform, tmp_path)
    with platform.sessions.begin() as session:
        # So the operator may do everything.
        everything = Membership(team_id=platform.team_id, user_id=id_of("operator"), role="admin")
        session.add(everything)
    operator = Asker(cookies={"weir_session": "session-of-operator"}, but=SIGNED_OUT)
    with served(platform) as url:
        for asked in drawn_requests(url, [operator], world.values, EXAMPLES):
            assert asked
    wrong = [f"{what}: {each}" for what, each in operator.wrong.items()]
    assert not wrong, "\n\n".join(wrong)
