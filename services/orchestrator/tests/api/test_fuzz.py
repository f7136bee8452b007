"""Requests drawn from the OpenAPI: no 500, no answer that the OpenAPI does not tell of."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from weir_orchestrator.db import Membership
from weir_testing.platform import Platform, id_of
from weir_testing.platform.served import served
from weir_testing.platform.world import World, make_world

EXAMPLES: Final = 10
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
STREAMS: Final = frozenset({"watch_campaign", "watch_team"})
"""Answers without end."""
SIGNED_OUT: Final = frozenset({"sign_out", "change_my_password"})
"""What would end the asker's session is asked by somebody else."""
_SETTINGS: Final = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def test_every_answer_is_one_that_the_openapi_tells_of(platform: Platform, tmp_path: Path) -> None:
    world = make_world(platform, tmp_path)
    with platform.sessions.begin() as session:
        # So the operator may do everything.
        everything = Membership(team_id=platform.team_id, user_id=id_of("operator"), role="admin")
        session.add(everything)
    wrong: list[str] = []
    with served(platform) as url:
        schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
        for result in schema.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            if operation.definition.raw["operationId"] in STREAMS:
                continue
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                try:
                    _fuzz(world, operation, mode)
                except Unsatisfiable:
                    # It takes nothing that could be wrong.
                    assert mode is GenerationMode.NEGATIVE
                except AssertionError as error:
                    wrong.append(f"{operation.label} ({mode.value}): {error}")
                except BaseExceptionGroup as group:
                    found = "; ".join(str(error) for error in group.exceptions)
                    wrong.append(f"{operation.label} ({mode.value}): {found}")
    assert not wrong, "\n\n".join(wrong)


def _fuzz(world: World, operation: Any, mode: GenerationMode) -> None:
    name = operation.definition.raw["operationId"]
    asker = world.platform.client("read" if name in SIGNED_OUT else "operator")
    cookies = dict(asker.cookies)

    @_SETTINGS
    @given(case=operation.as_strategy(generation_mode=mode), existing=st.booleans())
    def ask(case: Case[Any], existing: bool) -> None:
        if existing and case.path_parameters:
            case.path_parameters = {name: str(world.values[name]) for name in case.path_parameters}
        answer = case.call(cookies=cookies)
        case.validate_response(answer, checks=CHECKS)

    ask()
