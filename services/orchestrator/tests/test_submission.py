"""Submitting campaigns over the API, and what becomes of them in the database."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from campaign_parts import HERE, SPEC, body, expand_all, submit
from platform_parts import TEAM, Platform, id_of
from sqlalchemy import func, select, update
from weir.expand import expand
from weir.runkey import run_key
from weir.spec import load_campaign
from weir_orchestrator.db import AuditEntry, Campaign, Combination, Event, Result, Run, Team
from weir_orchestrator.submission import expand_some, expansion


def test_a_submission_becomes_the_runs_that_the_command_would_make(
    platform: Platform, tmp_path: Path
) -> None:
    made = submit(platform.client("submit"))
    assert made["state"] == "expanding"
    assert (made["combination_count"], made["run_count"], made["expanded"]) == (4, 12, 0)
    assert made["created_by"] == str(id_of("submit"))
    expand_all(platform)

    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SPEC))
    asked = expand(load_campaign(path))
    with platform.sessions() as session:
        runs = session.scalars(select(Run).order_by(Run.position)).all()
        experiments = dict(
            session.execute(select(Combination.number, Combination.experiment)).all()
        )
        levels = session.scalars(select(Combination.levels).order_by(Combination.number)).all()
    assert [run.position for run in runs] == list(range(12))
    assert [(run.replicate, run.seed) for run in runs] == [(r.replicate, r.seed) for r in asked]
    assert [run.key for run in runs] == [
        run_key(run.experiment, run.seed, made["kernel_hash"], made["roles_hash"]) for run in asked
    ]
    assert [experiments[run.combination] for run in runs] == [run.experiment for run in asked]
    assert list(levels[1].items()) == list(asked[3].levels.items())
    assert {run.state for run in runs} == {"queued"}

    shown = platform.client("read").get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["counts"]) == ("active", {"queued": 12})
    assert shown["film_s"] == 12 * 20


def test_expansion_goes_on_where_another_process_stopped(
    platform: Platform, monkeypatch: Any
) -> None:
    monkeypatch.setattr(expansion, "CHUNK_RUNS", 5)
    made = submit(platform.client("submit"))
    assert expand_some(platform.sessions, platform.objects, platform.settings)
    expansion._close_all()  # as if that process had died
    assert expand_all(platform) == 2
    with platform.sessions() as session:
        found = session.execute(
            select(func.count(), func.count(Run.position.distinct()), func.max(Run.position))
        ).one()
        assert tuple(found) == (12, 12, 11)
        assert session.scalar(select(func.count()).select_from(Combination)) == 4
        assert session.scalars(select(Campaign.state)).one() == "active"
    assert made["run_count"] == 12


def test_two_that_expand_at_once_write_every_run_once(platform: Platform, monkeypatch: Any) -> None:
    monkeypatch.setattr(expansion, "CHUNK_RUNS", 5)
    submit(platform.client("submit"))
    write = expansion._write
    lost: list[bool] = []

    def slow(session: Any, before: Any, chunk: Any) -> bool:
        if not lost:
            lost.append(True)
            # Another process writes the same chunk between this one's making and writing it.
            with platform.sessions.begin() as other:
                assert write(other, before, chunk)
            written = write(session, before, chunk)
            assert not written
            return written
        return write(session, before, chunk)

    monkeypatch.setattr(expansion, "_write", slow)
    expand_all(platform)
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Run)) == 12


def test_small_campaigns_do_not_wait_for_large_ones(platform: Platform, monkeypatch: Any) -> None:
    monkeypatch.setattr(expansion, "CHUNK_RUNS", 100)
    client = platform.client("submit")
    submit(client, {"name": "large", "replicates": 10_000})
    expand_some(platform.sessions, platform.objects, platform.settings)
    small = submit(client, {"name": "small"})
    expand_some(platform.sessions, platform.objects, platform.settings)
    assert client.get(f"/api/v1/campaigns/{small['id']}").json()["state"] == "active"


def test_what_has_a_result_is_over_at_once(platform: Platform) -> None:
    client = platform.client("submit")
    first = submit(client)
    expand_all(platform)
    with platform.sessions.begin() as session:
        keys = session.scalars(select(Run.key).order_by(Run.position)).all()
        for key in keys[:11]:
            session.add(_result(key, "succeeded"))
        session.add(_result(keys[11], "invalid"))
    second = client.post(f"/api/v1/campaigns/{first['id']}/clone", json={}).json()
    assert second["cloned_from"] == first["id"]
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{second['id']}").json()
    assert (shown["state"], shown["counts"]) == ("finished", {"succeeded": 11, "invalid": 1})
    assert shown["ended_at"] is not None
    with platform.sessions() as session:
        states = session.scalars(
            select(Event.data).where(Event.kind == "campaign.state").order_by(Event.id)
        ).all()
    assert [state["state"] for state in states][-2:] == ["active", "finished"]


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
    change = {"overrides": {"duration": "5s"}, "seed": 8}
    clone = client.post(f"/api/v1/campaigns/{made['id']}/clone", json=change).json()
    cloned = client.get(f"/api/v1/campaigns/{clone['id']}/document").json()
    assert cloned["overrides"] == {**asked, "duration": "5s"}
    assert (cloned["replicates"], cloned["seed"], clone["run_count"]) == (2, 8, 4)
    expand_all(platform)
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
    assert good == {
        "valid": True,
        "problems": [],
        "name": "small",
        "factors": ["gateway.shaping.method", "server.congestion_control"],
        "combinations": 4,
        "runs": 12,
    }
    bad = client.post(f"{HERE}/campaigns/validate", json=body({"replicates": 0})).json()
    assert not bad["valid"]
    assert bad["problems"][0]["path"] == "replicates"
    with platform.sessions() as session:
        assert session.scalar(select(func.count()).select_from(Campaign)) == 0


def test_a_combination_found_unsound_later_refuses_the_campaign(platform: Platform) -> None:
    # Too many to be all looked at when submitted; in some, a client starts after the end.
    starts = [f"{start}s" for start in range(40)]
    factors = {"clients.0.start": starts, "duration": [f"{s}s" for s in range(59, 19, -1)]}
    client = platform.client("submit")
    made = submit(client, {"factors": factors, "replicates": 1})
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert shown["state"] == "refused"
    assert shown["problems"][0]["path"].startswith("factors.clients.0.start")
    assert shown["counts"].keys() <= {"cancelled"}


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
        session.add(_result("0" * 32, "succeeded", team_id=platform.team_id, size_bytes=1000))
    assert client.post(f"{HERE}/campaigns", json=body(replicates=2)).status_code == 429
    estimate = client.post(f"{HERE}/campaigns/estimate", json=body()).json()
    assert not estimate["allowed"]
    assert len(estimate["refusals"]) == 2


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


def test_lists_are_filtered_newest_first_and_carry_etags(platform: Platform) -> None:
    client = platform.client("submit")
    made = [submit(client, {"name": name})["id"] for name in ("a", "b", "a")]
    listed = client.get(f"{HERE}/campaigns").json()["items"]
    assert [each["id"] for each in listed] == made[::-1]
    first = client.get(f"{HERE}/campaigns", params={"limit": 2}).json()
    rest = client.get(f"{HERE}/campaigns", params={"limit": 2, "cursor": first["next"]}).json()
    assert [each["id"] for each in first["items"] + rest["items"]] == made[::-1]
    named = client.get(f"{HERE}/campaigns", params={"name": "a", "state": "expanding"})
    assert [each["id"] for each in named.json()["items"]] == [made[2], made[0]]
    assert client.get(f"{HERE}/campaigns", params={"state": "finished"}).json()["items"] == []
    seen = {"If-None-Match": named.headers["etag"]}
    params = {"name": "a", "state": "expanding"}
    assert client.get(f"{HERE}/campaigns", params=params, headers=seen).status_code == 304
    expand_some(platform.sessions, platform.objects, platform.settings)
    expand_all(platform)
    assert client.get(f"{HERE}/campaigns", params={"name": "a"}, headers=seen).status_code == 200


def test_the_grid_shows_states_by_combination(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    with platform.sessions.begin() as session:
        session.execute(update(Run).where(Run.position < 4).values(state="succeeded"))
    where = f"/api/v1/campaigns/{made['id']}/grid"
    cells = client.get(where).json()["items"]
    assert [cell["counts"] for cell in cells] == [
        {"succeeded": 3},
        {"succeeded": 1, "queued": 2},
        {"queued": 3},
        {"queued": 3},
    ]
    assert cells[1]["levels"] == {
        "gateway.shaping.method": "none",
        "server.congestion_control": "reno",
    }
    first = client.get(where, params={"limit": 3}).json()
    rest = client.get(where, params={"limit": 3, "cursor": first["next"]}).json()
    assert first["items"] + rest["items"] == cells


def test_progress_tells_rate_and_end(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    where = f"/api/v1/campaigns/{made['id']}/progress"
    assert client.get(where).json()["runs_per_s"] is None
    expand_all(platform)
    with platform.sessions.begin() as session:
        campaign = session.scalars(select(Campaign)).one()
        session.execute(update(Run).where(Run.position < 6).values(state="succeeded"))
        for position in range(6):
            session.add(
                Event(
                    team_id=campaign.team_id,
                    campaign_id=campaign.id,
                    kind="run.ended",
                    data={"position": position},
                )
            )
    found = client.get(where).json()
    assert (found["ended"], found["run_count"], found["expanded"]) == (6, 12, 12)
    assert found["runs_per_s"] == 0.1
    assert found["speed"] == 2.0
    assert found["eta_s"] == 60.0


def test_submissions_are_audited(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    with platform.sessions() as session:
        entry = session.scalars(select(AuditEntry)).one()
    assert (entry.action, entry.object_id) == ("campaign.submit", made["id"])
    assert entry.detail == {"name": "small", "runs": 12}


def _result(key: str, outcome: str, **fields: Any) -> Result:
    values = {"size_bytes": 1, "film_s": 20.0, "wall_s": 0.2, "metrics": {"clients": [{}, {}]}}
    reason = "the rate was not as asked" if outcome == "invalid" else ""
    return Result(key=key, outcome=outcome, reason=reason, **{**values, **fields})


def test_teams_are_named_by_their_slug(platform: Platform) -> None:
    assert TEAM in HERE
    assert platform.client("submit").get("/api/v1/teams/none/campaigns").status_code == 404


def test_campaigns_are_found_by_a_part_of_their_names(platform: Platform) -> None:
    client = platform.client("submit")
    for name in ("small", "small-again", "other_one", "otherxone"):
        submit(client, {"name": name})

    def found(**params: str) -> set[str]:
        listed = client.get(f"{HERE}/campaigns", params=params)
        return {each["name"] for each in listed.json()["items"]}

    assert found(name_part="SMALL") == {"small", "small-again"}
    assert found(name_part="r_o") == {"other_one"}
    assert found(name="small") == {"small"}
