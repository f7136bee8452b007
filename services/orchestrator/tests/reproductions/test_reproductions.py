"""Cards whose runs are carried out again: which can be, what is queued, and the verdict."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete, select, update
from weir_engine import provenance
from weir_lab import kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.db import (
    AuditEntry,
    Campaign,
    Certificate,
    Combination,
    Result,
    Run,
    Team,
    Worker,
    utc_now,
)
from weir_orchestrator.lifecycle import settle_if_over
from weir_orchestrator.reproductions import conclude_next
from weir_testing.platform import TEAM, Platform, email_of
from weir_testing.platform.campaigns import HERE, expand_all, stored_result, submit

API = "/api/v1"
QUESTION = {"metric": "jain", "factor": "server.congestion_control", "than": "reno"}


@pytest.fixture
def client(platform: Platform) -> TestClient:
    return platform.client("submit")


@pytest.fixture
def card(platform: Platform, client: TestClient) -> Any:
    """Of a campaign of 12 runs that have all ended well."""
    made = submit(client)
    expand_all(platform)
    end_well(platform)
    answer = client.post(
        f"{HERE}/cards",
        json={
            "name": "Figure 3",
            "title": "Jain's index",
            "view": f"/teams/{TEAM}/campaigns/{made['id']}/results",
            "numbers": {"columns": ["n"], "rows": [[1]]},
            "campaigns": [made["id"]],
        },
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def end_well(platform: Platform) -> None:
    """Every run that there is."""
    with platform.sessions.begin() as session:
        for run in session.scalars(select(Run)):
            result = stored_result(run.key, "succeeded")
            session.add(result)
            session.flush()
            ended = {"state": "succeeded", "result_id": result.id, "ended_at": utc_now()}
            session.execute(update(Run).where(Run.id == run.id).values(**ended))
        session.execute(update(Campaign).values(state="finished", counts={"succeeded": 12}))


def where(card: Any) -> str:
    return f"{API}/cards/{card['id']}/reproductions"


def again_of(platform: Platform) -> list[Run]:
    with platform.sessions() as session:
        query = select(Run).where(Run.certifies).order_by(Run.position)
        return list(session.scalars(query))


def end(platform: Platform, differing: dict[int, list[str]], state: str = "succeeded") -> None:
    """End the runs that were queued again; differing: files by position."""
    with platform.sessions.begin() as session:
        for run in session.scalars(select(Run).where(Run.certifies, Run.state == "queued")):
            files = differing.get(run.position, [])
            ended = "failed" if files else state
            reason = "no worker has it" if ended == "failed" and not files else ""
            values = {"state": ended, "reason": reason}
            session.execute(update(Run).where(Run.id == run.id).values(**values))
            if ended == "succeeded" or files:
                session.add(Certificate(run_id=run.id, differing=files))
        campaigns = set(session.scalars(select(Run.campaign_id).where(Run.certifies)))
    for campaign in campaigns:
        with platform.sessions.begin() as session:
            settle_if_over(session, campaign)


def left_out(client: TestClient, card: Any) -> list[tuple[int, str]]:
    told = client.get(f"{where(card)}/estimate").json()["left_out"]
    return [(each["runs"], each["reason"]) for each in told]


def test_runs_are_queued_although_their_results_are_known(
    platform: Platform, client: TestClient, card: Any
) -> None:
    told = client.get(f"{where(card)}/estimate").json()
    assert (told["runs"], told["film_s"], told["left_out"]) == (12, 240.0, [])
    assert told["wall_s"] > 0
    with platform.sessions.begin() as session:
        session.execute(update(Campaign).values(spec={**_spec(platform), "question": QUESTION}))
    begun = client.post(where(card))
    assert begun.status_code == 201, begun.text
    assert (begun.json()["verdict"], begun.json()["created_by"]) == (None, email_of("submit"))
    runs = again_of(platform)
    assert {run.state for run in runs} == {"queued"}
    assert [run.key for run in runs] == [run["key"] for run in card["runs"]]
    (made,) = begun.json()["campaigns"]
    shown = client.get(f"{API}/campaigns/{made}").json()
    assert (shown["name"], shown["state"], shown["has_question"]) == (
        "small.again",
        "active",
        False,
    )
    assert shown["cloned_from"] == card["campaigns"][0]["id"]
    with platform.sessions() as session:
        of = {uuid.UUID(made), uuid.UUID(shown["cloned_from"])}
        query = select(Combination.number, Combination.levels, Combination.experiment)
        one, two = (
            session.execute(query.where(Combination.campaign_id == each).order_by("number")).all()
            for each in of
        )
        assert one == two
        entry = session.scalars(select(AuditEntry).where(AuditEntry.action == "card.reproduce"))
        assert entry.one().detail["runs"] == 12
    twice = client.post(where(card))
    assert (twice.status_code, "wait for the verdict" in twice.json()["detail"]) == (409, True)


def _spec(platform: Platform) -> dict[str, Any]:
    with platform.sessions() as session:
        return dict(session.scalars(select(Campaign.spec)).one())


def test_the_verdict_stays_when_the_runs_are_gone(
    platform: Platform, client: TestClient, card: Any
) -> None:
    begun = client.post(where(card)).json()
    assert not conclude_next(platform.sessions)
    end(platform, {1: ["tcp.parquet"], 4: ["metrics.json", "run.json"]})
    going_on = client.get(where(card)).json()["items"][0]
    assert (going_on["verdict"], going_on["ended"], going_on["same"]) == (None, 12, 10)
    assert conclude_next(platform.sessions)
    assert not conclude_next(platform.sessions)
    admin = platform.client("admin")
    (made,) = begun["campaigns"]
    assert admin.delete(f"{API}/campaigns/{made}").status_code == 204
    found = platform.client("read").get(where(card)).json()["items"][0]
    assert (found["verdict"], found["same"], found["failed"]) == ("different", 10, [])
    assert [(each["run"], each["files"]) for each in found["differing"]] == [
        (card["runs"][1]["id"], ["tcp.parquet"]),
        (card["runs"][4]["id"], ["metrics.json", "run.json"]),
    ]
    page = client.get(f"{API}/cards/{card['id']}/page").text
    assert "10 of 12 runs have the same bytes, 2 differ." in page
    assert email_of("submit") not in page


def test_what_could_not_be_compared_makes_it_incomplete(
    platform: Platform, client: TestClient, card: Any
) -> None:
    client.post(where(card))
    end(platform, {}, state="failed")
    conclude_next(platform.sessions)
    found = client.get(where(card)).json()["items"][0]
    assert (found["verdict"], found["same"], found["ended"]) == ("incomplete", 0, 12)
    assert found["failed"] == [{"reason": "no worker has it", "runs": 12}]
    page = client.get(f"{API}/cards/{card['id']}/page").text
    assert "0 of 12 runs have the same bytes, 12 could not be compared." in page


def test_a_run_that_ended_without_a_certificate_is_not_the_same(
    platform: Platform, client: TestClient, card: Any
) -> None:
    client.post(where(card))
    end(platform, {})
    first = again_of(platform)[0].id
    with platform.sessions.begin() as session:
        session.execute(delete(Certificate).where(Certificate.run_id == first))
    conclude_next(platform.sessions)
    found = client.get(where(card)).json()["items"][0]
    assert (found["verdict"], found["same"]) == ("incomplete", 11)
    assert found["failed"] == [{"reason": "succeeded without having been compared", "runs": 1}]


def test_cancelling_its_campaign_ends_it(platform: Platform, client: TestClient, card: Any) -> None:
    (made,) = client.post(where(card)).json()["campaigns"]
    assert client.post(f"{API}/campaigns/{made}/cancel").status_code == 200
    conclude_next(platform.sessions)
    found = client.get(where(card)).json()["items"][0]
    assert (found["verdict"], found["failed"]) == (
        "incomplete",
        [{"reason": "the campaign was cancelled", "runs": 12}],
    )
    assert client.post(where(card)).status_code == 201


def test_a_rerun_asks_for_a_new_certificate(
    platform: Platform, client: TestClient, card: Any
) -> None:
    (made,) = client.post(where(card)).json()["campaigns"]
    end(platform, {1: ["tcp.parquet"]})
    answer = client.post(f"{API}/campaigns/{made}/rerun", json={"only": ["failed"]})
    assert (answer.status_code, answer.json()["queued"]) == (200, 1)
    going_on = client.get(where(card)).json()["items"][0]
    assert (going_on["ended"], going_on["differing"]) == (11, [])
    end(platform, {})
    conclude_next(platform.sessions)
    assert client.get(where(card)).json()["items"][0]["verdict"] == "same"


def test_runs_that_cannot_be_compared_are_left_out_and_told(
    platform: Platform, client: TestClient, card: Any
) -> None:
    ids = [run["id"] for run in card["runs"]]
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.id == ids[0]).values(clock="real"))
        failed = {"state": "failed", "result_id": None}
        session.execute(update(Run).where(Run.id == ids[1]).values(**failed))
    assert left_out(client, card) == [
        (1, "on the real clock no two runs have the same bytes"),
        (1, "they have no result to compare with"),
    ]
    begun = client.post(where(card)).json()
    assert begun["runs"] == 10
    end(platform, {})
    conclude_next(platform.sessions)
    found = client.get(where(card)).json()["items"][0]
    assert (found["verdict"], found["same"], len(found["left_out"])) == ("incomplete", 10, 2)


def test_what_no_worker_could_make_is_refused_with_the_reason(
    platform: Platform, client: TestClient, card: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = card["campaigns"][0]
    built = kernel.find()
    assert built is not None
    other = Kernel(built.path, "f" * 64, built.release, built.congestion_controls)
    monkeypatch.setattr(kernel, "find", lambda: other)
    ((runs, reason),) = left_out(client, card)
    assert (runs, campaign["kernel_hash"][:12] in reason) == (12, True)
    assert "lab kernel" in reason
    refused = client.post(where(card))
    assert refused.status_code == 422
    (problem,) = refused.json()["problems"]
    assert (problem["path"], problem["value"]) == ("card", "12 runs")
    assert reason in problem["allowed"]
    monkeypatch.setattr(provenance, "roles", lambda: {"hash": "other"})
    ((_, reason),) = left_out(client, card)
    assert ("programs in the cell" in reason, campaign["roles_hash"][:12] in reason) == (True, True)
    with platform.sessions.begin() as session:
        has = {"roles_hash": campaign["roles_hash"], "kernels": [campaign["kernel_hash"]]}
        session.add(Worker(host="old", pid=1, jobs=1, **has))
    assert left_out(client, card) == []


def test_quotas_are_those_of_campaigns(platform: Platform, client: TestClient, card: Any) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_runs_per_campaign=11))
    told = client.get(f"{where(card)}/estimate").json()
    assert (told["allowed"], "12 runs" in told["refusals"][0]) == (False, True)
    refused = client.post(where(card))
    assert (refused.status_code, "quota is 11" in refused.json()["detail"]) == (429, True)
    assert again_of(platform) == []
    with platform.sessions() as session:
        assert len(session.scalars(select(Result.id)).all()) == 12
