"""Documents meant to do harm are refused clearly and at once, and leave nothing behind."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
import yaml
from sqlalchemy import func, select
from weir.expand import Expansion
from weir_orchestrator.db import Campaign
from weir_orchestrator.submission import Submission, checked
from weir_testing.cpu_time import cpu_time
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body

_WITHIN_S = 5.0


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for n in range(1, 12):
        lines.append(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]")
    return "\n".join(lines)


def _many_exclusions() -> dict[str, Any]:
    """30 factors of 2 levels with 29 exclusions: their count needs 2^29 partial choices."""
    clients = [{"player": "bba0", "buffer": "240s"} for _ in range(30)]
    factors = {f"clients.{n}.start": ["0s", "1s"] for n in range(30)}
    exclude = [{f"clients.{n}.start": "1s", "clients.29.start": "0s"} for n in range(29)]
    experiment = {**SPEC["experiment"], "clients": clients}
    return {"experiment": experiment, "factors": factors, "exclude": exclude}


DOCUMENTS = {
    "aliases": _bomb(),
    "merge keys": "x: &x {a: 1}\n" + "\n".join(f"b{n}: {{<<: *x}}" for n in range(60_000)),
    "nesting": "[" * 100_000,
    "nested mapping": yaml.safe_dump({**SPEC, "description": "x"})
    + "zip: " + "{a: " * 200 + "1" + "}" * 200,
    "itself": "name: a\nexperiment: &e {clients: [*e]}",
    "python": "name: !!python/object/apply:os.system ['touch /tmp/pwned']",
    "python name": "name: !!python/name:os.system",
    "broken int": 'name: !!int ""',
    "broken time": "name: !!timestamp x",
    "bytes": yaml.safe_dump(SPEC) + "paper: !!binary aGVsbG8=\n",
    "set": yaml.safe_dump({**SPEC, "factors": {}}) + "seed: !!set {1, 2}\n",
    "date": yaml.safe_dump(SPEC) + "paper: !!timestamp 2026-11-21\n",
    "infinity": yaml.safe_dump({**SPEC, "seed": 0}).replace("seed: 0", "seed: 1e999"),
    "long number": "seed: " + "9" * 50_000,
    "nul": yaml.safe_dump({**SPEC, "description": "a\0b"}),
    "nul in a level": yaml.safe_dump({**SPEC, "factors": {"server.congestion_control": ["a\0"]}}),
    "surrogate": json.dumps({**SPEC, "description": "\ud800"}),
    "surrogate in text": "name: \ud800",
    "surrogate key": json.dumps({**SPEC, "\udfff": 1}),
    "levels": yaml.safe_dump({**SPEC, "factors": {"duration": [f"{n}s" for n in range(9_000)]}}),
    "exclusions": yaml.safe_dump({**SPEC, **_many_exclusions()}),
    "two documents": "name: a\n---\nname: b",
    "empty": " ",
    "list": "[1, 2]",
    "number": "1",
    "key twice": "name: a\nname: b",
    "list as key": "? [a]\n: b",
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_harmful_documents_are_refused_at_once(platform: Platform, name: str) -> None:
    client = platform.client("submit")
    # By hand: the client's own JSON has no surrogates.
    content = json.dumps({"document": DOCUMENTS[name]})
    with cpu_time() as spent:
        answer = client.post(
            f"{HERE}/campaigns", content=content, headers={"Content-Type": "application/json"}
        )
    assert spent.cpu_s < _WITHIN_S
    assert answer.status_code == 422, answer.text[:500]
    problem = answer.json()["problems"][0]
    assert problem["remedy"] or problem["allowed"]
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 0


def test_a_document_larger_than_any_spec_is_refused(platform: Platform) -> None:
    huge = yaml.safe_dump({**SPEC, "description": "x" * 600_000})
    answer = platform.client("submit").post(f"{HERE}/campaigns", json={"document": huge})
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["path"] == "document"


def test_a_request_larger_than_the_limit_is_not_read(platform: Platform) -> None:
    huge = b'{"document": "' + b"x" * (9 << 20) + b'"}'
    assert platform.client("submit").post(f"{HERE}/campaigns", content=huge).status_code == 413


@pytest.mark.parametrize(
    "overrides",
    [
        {"duration": "\0"},
        {"duration": "\ud800"},
        {"server": [[[[[[[{}]]]]]]]},
        {"": 1},
        {"__class__": 1},
        {"clients.99999999999.start": "1s"},
        {"duration": None},
    ],
)
def test_overrides_are_looked_at_as_documents_are(
    platform: Platform, overrides: dict[str, Any]
) -> None:
    content = json.dumps(body(overrides=overrides))
    answer = platform.client("submit").post(
        f"{HERE}/campaigns", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422, answer.text[:500]


@pytest.mark.parametrize("trick", ["' OR 1=1 --", "'; DROP TABLE run; --", "%", "\\", "a\0b", '"'])
def test_sql_in_filters_is_only_text(platform: Platform, trick: str) -> None:
    client = platform.client("submit")
    assert client.post(f"{HERE}/campaigns", json=body()).status_code == 201
    for field in ("name", "state"):
        answer = client.get(f"{HERE}/campaigns", params={field: trick})
        assert answer.status_code == 422, answer.text
    # An empty-looking cursor may be read as the first page; none is an error of the server.
    assert client.get(f"{HERE}/campaigns", params={"cursor": trick}).status_code in {200, 422}
    assert len(client.get(f"{HERE}/campaigns").json()["items"]) == 1


def test_checks_are_linear_in_what_is_sent(platform: Platform) -> None:
    """Ten times the levels take about ten times as many calls, not a hundred times."""
    made: list[int] = []

    def count(_frame: object, event: str, _arg: object) -> None:
        made[-1] += event.endswith("call")

    for levels in (1, 50, 500):  # the first imports what is not there yet
        factors = {"duration": [f"{n + 20}s" for n in range(levels)]}
        asked = Submission(yaml.safe_dump({**SPEC, "factors": factors}))
        made.append(0)
        with platform.sessions() as session:
            sys.setprofile(count)
            try:
                with checked(
                    session, platform.objects, platform.settings, platform.team_id, asked
                ) as found:
                    assert Expansion(found.spec).count() == levels * found.spec.replicates
            finally:
                sys.setprofile(None)
    _, few, many = made
    assert 5 * few < many < 20 * few


@pytest.mark.parametrize(
    "sent",
    [b'{"\\ud800": 1}', b'{"document": "a", "priority": NaN}', b"[", b"", b'{"document": "\xff"}',
     b"[" * 100_000, b'{"seed": ' + b"9" * 5000 + b"}"],
    ids=["surrogate", "nan", "cut", "empty", "latin-1", "deep", "long number"],
)  # fmt: skip
def test_bodies_that_are_no_good_json_are_answered(platform: Platform, sent: bytes) -> None:
    answer = platform.client("submit").post(
        f"{HERE}/campaigns", content=sent, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
