"""Requests drawn from the OpenAPI: no 500, no answer that the OpenAPI does not tell of.

50,000 of them, as everybody: tests/security/api.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.drawn import SIGNED_OUT, Asker, drawn_requests
from weir_testing.platform.fixtures import both
from weir_testing.platform.served import served
from weir_testing.platform.world import empower_operator, make_world

EXAMPLES: Final = 1


@pytest.fixture
def platforms(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Platform]]:
    with both(request, tmp_path) as made:
        yield made


def test_every_answer_is_one_that_the_openapi_tells_of(
    platforms: list[Platform], tmp_path: Path
) -> None:
    """On both back ends the same, since to draw takes longer than to answer."""
    operators = {}
    with ExitStack() as stack:
        for platform in platforms:
            folder = tmp_path / f"runs-{platform.backend}"
            folder.mkdir()
            world = make_world(platform, folder)
            empower_operator(platform)
            url = stack.enter_context(served(platform))
            signed_in = {"weir_session": "session-of-operator"}
            operators[platform.backend] = Asker(
                url, world.values, cookies=signed_in, but=SIGNED_OUT
            )
        for asked in drawn_requests(list(operators.values()), EXAMPLES):
            assert asked
    wrong = [
        f"{backend}: {what}: {each}"
        for backend, operator in operators.items()
        for what, each in operator.wrong.items()
    ]
    assert not wrong, "\n\n".join(wrong)
