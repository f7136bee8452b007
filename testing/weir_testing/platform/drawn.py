"""Requests drawn from the OpenAPI, and what is wrong with their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
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

__all__ = ["SIGNED_OUT", "Asker", "drawn_requests"]

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
PATIENCE_S: Final = 500
STREAMS: Final = frozenset({"watch_campaign", "watch_team"})
"""Answers without end."""
SIGNED_OUT: Final = frozenset({"sign_out", "change_my_password"})
"""What would end the asker's session."""


@dataclass
class Asker:
    """Who asks: headers and cookies. asked: how often; wrong: what was found, in words."""

    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    but: frozenset[str] = frozenset()
    asked: int = 0
    wrong: list[str] = field(default_factory=list)


def drawn_requests(
    url: str, asker: Asker, existing: Mapping[str, Any], examples: int, of_seed: int = 0
) -> Iterator[int]:
    """Ask every operation, good and bad input `examples` times each; after each how often so far.

    existing: parameters of paths that stand for objects that are there, used half of the time.
    """
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    with requests.Session() as session:
        for result in schema.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            if operation.definition.raw["operationId"] in STREAMS | asker.but:
                continue
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                _ask(session, asker, operation, mode, existing, examples, of_seed)
                yield asker.asked


def _ask(
    session: requests.Session,
    asker: Asker,
    operation: Any,
    mode: GenerationMode,
    existing: Mapping[str, Any],
    examples: int,
    of_seed: int,
) -> None:
    @seed(of_seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), there=st.booleans())
    def ask(case: Case[Any], there: bool) -> None:
        if there and case.path_parameters:
            case.path_parameters = {name: str(existing[name]) for name in case.path_parameters}
        asker.asked += 1
        headers, cookies = dict(asker.headers), dict(asker.cookies)
        answer = case.call(session=session, headers=headers, cookies=cookies, timeout=PATIENCE_S)
        case.validate_response(answer, checks=CHECKS)

    try:
        ask()
    except Unsatisfiable:
        # It takes nothing that could be wrong.
        assert mode is GenerationMode.NEGATIVE
    except AssertionError as error:
        asker.wrong.append(f"{operation.label} ({mode.value}): {error}")
    except BaseExceptionGroup as group:
        found = "; ".join(str(error) for error in group.exceptions)
        asker.wrong.append(f"{operation.label} ({mode.value}): {found}")
