"""Requests drawn from the OpenAPI, and what is wrong with their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
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
PREFIX: Final = "/api/v1"
"""Of all paths in the OpenAPI."""
STREAMS: Final = frozenset({"watch_campaign", "watch_team"})
"""Answers without end."""
SIGNED_OUT: Final = frozenset({"sign_out", "change_my_password"})
"""What would end the asker's session."""


@dataclass
class Asker:
    """Who asks, by headers and cookies, and the API at `url`. existing: parameters of paths that
    stand for objects that are there. asked: how often; wrong: what was found, by operation."""

    url: str
    existing: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    but: frozenset[str] = frozenset()
    asked: int = 0
    wrong: dict[str, str] = field(default_factory=dict)


def drawn_requests(askers: Sequence[Asker], examples: int, of_seed: int = 0) -> Iterator[int]:
    """Ask every operation, good and bad input `examples` times each; after each how often so far.

    What is drawn, which takes longer than its answer, is asked by all; half of the time with the
    parameters of what exists.
    """
    schema = schemathesis.openapi.from_url(f"{askers[0].url}/openapi.json")
    with ExitStack() as stack:
        sessions = [(asker, stack.enter_context(requests.Session())) for asker in askers]
        for result in schema.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            name = operation.definition.raw["operationId"]
            may = [(asker, session) for asker, session in sessions if name not in asker.but]
            if name in STREAMS or not may:
                continue
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                _ask(may, operation, mode, examples, of_seed)
                yield sum(asker.asked for asker in askers)


def _ask(
    askers: Sequence[tuple[Asker, requests.Session]],
    operation: Any,
    mode: GenerationMode,
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
        for asker, session in askers:
            asker.asked += 1
            if there and case.path_parameters:
                its = asker.existing
                case.path_parameters = {name: str(its[name]) for name in case.path_parameters}
            answer = case.call(
                base_url=asker.url.removesuffix(PREFIX),
                session=session,
                headers=dict(asker.headers),
                cookies=dict(asker.cookies),
                timeout=PATIENCE_S,
            )
            if wrong := _wrong(case, answer):
                asker.wrong.setdefault(f"{operation.label} ({mode.value})", wrong)

    try:
        ask()
    except Unsatisfiable:
        # It takes nothing that could be wrong.
        assert mode is GenerationMode.NEGATIVE


def _wrong(case: Case[Any], answer: Any) -> str:
    try:
        case.validate_response(answer, checks=CHECKS)
    except AssertionError as error:
        return str(error)
    except BaseExceptionGroup as group:
        return "; ".join(str(error) for error in group.exceptions)
    return ""
