"""Submitting campaigns over the API: taken, refused, taken once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import yaml
from sqlalchemy import func, select, update
from weir_orchestrator.db import AuditEntry, Campaign, Combination, Event, Team
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, stored_result, submit


def test_the_same_key_and_body_make_one_campaign(platform: Platform) -> None:
    client = platform.token_client("submit")
    headers = {"Idempotency-Key": "nightly-2026-11-21"}
    first = client.post(f"{HERE}/campaigns", json=body(), headers=headers)
    again = client.post(f"{HERE}/campaigns", json=body(), headers=headers)
    other = client.post(f"{HERE}/campaigns", json=body(seed=2), headers=headers)
    assert [each.status_code for each in (first, again, other)] == [201, 200, 409]
    assert first.json() == again.json()
    assert other.json()["type"] == "/problems/conflict"
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 1


def test_one_idempotency_key_from_several_at_once_makes_one_campaign(platform: Platform) -> None:
    together = threading.Barrier(6)

    def ask(number: int) -> Any:
        client = platform.client("submit")
        together.wait()
        headers = {"Idempotency-Key": "nightly"}
        return client.post(f"{HERE}/campaigns", json=body(), headers=headers)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))
    assert sorted(each.status_code for each in answers) == [200] * 5 + [201]
    assert len({each.json()["id"] for each in answers}) == 1
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 1
        assert session.scalars(select(AuditEntry.action)).all() == ["campaign.submit"]
        assert session.scalar(select(func.count()).select_from(Event)) == 1


def test_overrides_replicates_and_seed_stand_instead_of_the_documents(platform: Platform) -> None:
    client = platform.client("submit")
    asked = {"server.congestion_control": "bbr", "duration": "10s"}
    made = submit(client, overrides=asked, replicates=2, seed=7)
    assert (made["combination_count"], made["run_count"]) == (2, 4)
    document = client.get(f"/api/v1/campaigns/{made['id']}/document").json()
    assert document["overrides"] == asked
    assert (document["replicates"], document["seed"]) == (2, 7)
    assert document["document"] == yaml.safe_dump(SPEC)
    assert document["cell"] is None
    change = {"overrides": {"duration": "5s"}, "seed": 8}
    clone = client.post(f"/api/v1/campaigns/{made['id']}/clone", json=change).json()
    cloned = client.get(f"/api/v1/campaigns/{clone['id']}/document").json()
    assert cloned["overrides"] == {**asked, "duration": "5s"}
    assert (cloned["replicates"], cloned["seed"], clone["run_count"]) == (2, 8, 4)
    expand_all(platform)
    drawn = client.get(f"/api/v1/campaigns/{made['id']}/document").json()["cell"]
    assert (drawn["duration_s"], drawn["server"]["congestion_control"]) == (10.0, "bbr")
    with platform.sessions() as session:
        durations = {each["duration_s"] for each in session.scalars(select(Combination.experiment))}
    assert durations == {5.0, 10.0}


def test_a_bad_campaign_is_refused_with_every_problem(platform: Platform) -> None:
    changes = {"factors": {"server.congestion_control": ["cubik"], "gateway.downlink.rat": [1]}}
    answer = platform.client("submit").post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    (problem,) = answer.json()["problems"]
    assert problem["path"] == "factors.gateway.downlink.rat"
    assert "rate" in problem["remedy"]
    changes = {"factors": {"server.congestion_control": ["cubic", "cubik"]}}
    (problem,) = (
        platform.client("submit").post(f"{HERE}/campaigns", json=body(changes)).json()["problems"]
    )
    assert (problem["path"], problem["value"]) == ("experiment.server.congestion_control", "cubik")
    assert "cubic" in problem["allowed"]


def test_validation_answers_with_size_or_problems(platform: Platform) -> None:
    client = platform.client("submit")
    good = client.post(f"{HERE}/campaigns/validate", json=body()).json()
    assert good.pop("cell")["paths"][0]["downlink"]["queue"]["limit_packets"] == 67
    assert good == {
        "valid": True,
        "problems": [],
        "name": "small",
        "factors": ["gateway.shaping.method", "server.congestion_control"],
        "combinations": 4,
        "runs": 12,
        "at_most": False,
    }
    bad = client.post(f"{HERE}/campaigns/validate", json=body({"replicates": 0})).json()
    assert not bad["valid"]
    assert bad["problems"][0]["path"] == "replicates"
    assert bad["cell"] is None
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 0


def test_quotas_of_runs_and_bytes_refuse_submissions(platform: Platform) -> None:
    client = platform.client("submit")
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_runs_per_campaign=11))
    refused = client.post(f"{HERE}/campaigns", json=body())
    assert refused.status_code == 429
    assert refused.json()["type"] == "/problems/quota-exceeded"
    assert "11" in refused.json()["detail"]
    assert submit(client, replicates=2)["run_count"] == 8
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_stored_bytes=1000))
        session.add(stored_result("0" * 32, "succeeded", team_id=platform.team_id, size_bytes=1000))
    assert client.post(f"{HERE}/campaigns", json=body(replicates=2)).status_code == 429
    estimate = client.post(f"{HERE}/campaigns/estimate", json=body()).json()
    assert not estimate["allowed"]
    assert len(estimate["refusals"]) == 2


def test_film_is_bounded_by_run_and_by_team(platform: Platform) -> None:
    client = platform.client("submit")
    experiment = {**SPEC["experiment"], "duration": "100000h"}
    experiment["record"] = {"tcp": "off", "queue": "off"}
    endless = client.post(f"{HERE}/campaigns", json=body({"experiment": experiment}))
    assert endless.status_code == 422
    told = {problem["path"]: problem for problem in endless.json()["problems"]}
    assert told["experiment.duration"]["allowed"] == "at most 86400s"
    assert "WEIR_MAX_FILM" in told["experiment.duration"]["remedy"]
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_film_h=1))
    # 4 combinations of 20 s: 1 h is 45 replicates.
    first = submit(client, replicates=30)
    refused = client.post(f"{HERE}/campaigns", json=body(replicates=30))
    assert refused.status_code == 429
    assert "1.3 hours of film" in refused.json()["detail"]
    quota = platform.client("read").get(f"{HERE}/quota").json()
    assert quota["open_film_h"] == pytest.approx(30 * 4 * 20 / 3600)
    client.post(f"/api/v1/campaigns/{first['id']}/cancel")
    submit(client, replicates=30)


def test_a_million_runs_are_accepted_at_once_and_a_billion_refused(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client, {"replicates": 250_000})
    assert made["run_count"] == 1_000_000
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_runs_per_campaign=None))
    factors = {f"clients.{n}.start": [f"{s}s" for s in range(10)] for n in range(9)}
    clients = [{"player": "bba0", "buffer": "240s"} for _ in range(9)]
    changes = {"factors": factors, "experiment": {**SPEC["experiment"], "clients": clients}}
    answer = client.post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["allowed"] == "at most 100,000,000 runs"


def test_submissions_are_audited(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    with platform.sessions() as session:
        entry = session.scalars(select(AuditEntry)).one()
    assert (entry.action, entry.object_id) == ("campaign.submit", made["id"])
    assert entry.detail == {"name": "small", "runs": 12}
