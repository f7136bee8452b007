"""What tests of campaigns share: a document, submitting it, writing its runs."""

from __future__ import annotations

import hashlib
from contextlib import closing
from typing import Any, Final

import yaml
from fastapi.testclient import TestClient
from weir_orchestrator.db import Result
from weir_orchestrator.submission import Expander

from weir_testing.platform import TEAM, Platform

SPEC: Final[dict[str, Any]] = {
    "name": "small",
    "description": "How shaping and congestion control meet.",
    "experiment": {
        "duration": "20s",
        "content": {"ladder": ["1Mbit/s", "2Mbit/s", "3Mbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
        "clients": [{"player": "fixed", "options": {"level": 1}, "count": 2}],
    },
    "factors": {
        "gateway.shaping.method": ["none", "rwtm"],
        "server.congestion_control": ["cubic", "reno"],
    },
    "replicates": 3,
    "seed": 1,
}
HERE: Final = f"/api/v1/teams/{TEAM}"


def body(changes: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    """A request's body: SPEC with some keys replaced, and fields beside the document."""
    return {"document": yaml.safe_dump({**SPEC, **(changes or {})}), **fields}


def submit(client: TestClient, changes: dict[str, Any] | None = None, **fields: Any) -> Any:
    """The answer to a submission, which must be accepted."""
    answer = client.post(f"{HERE}/campaigns", json=body(changes, **fields))
    assert answer.status_code == 201, answer.text
    return answer.json()


def delete(platform: Platform, made: dict[str, Any]) -> None:
    """Delete a campaign that was submitted."""
    assert platform.client("admin").delete(f"/api/v1/campaigns/{made['id']}").status_code == 204


def expand_all(platform: Platform, **changes: Any) -> int:
    """Write all runs of all campaigns; in how many chunks. changes: of `Expander.expand_some`."""
    chunks = 0
    with closing(expander(platform)) as mine:
        while mine.expand_some(**changes):
            chunks += 1
    return chunks


def expand_some(platform: Platform, **changes: Any) -> bool:
    """Write one chunk, as a process that ends then. changes: of `Expander.expand_some`."""
    with closing(expander(platform)) as mine:
        return mine.expand_some(**changes)


def expander(platform: Platform) -> Expander:
    """One of a process of its own."""
    return Expander(platform.sessions, platform.objects, platform.settings)


def upload(client: TestClient, content: bytes) -> str:
    """Upload a file; its SHA-256."""
    sha256 = hashlib.sha256(content).hexdigest()
    answer = client.put(f"{HERE}/files/{sha256}", content=content)
    assert answer.status_code in {200, 201}, answer.text
    return sha256


def stored_result(key: str, outcome: str, **fields: Any) -> Result:
    """A result of two clients to add to the database."""
    values = {"size_bytes": 1, "film_s": 20.0, "wall_s": 0.2, "metrics": {"clients": [{}, {}]}}
    reason = "the rate was not as asked" if outcome == "invalid" else ""
    return Result(key=key, outcome=outcome, reason=reason, **{**values, **fields})
