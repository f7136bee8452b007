"""What-ifs of runs over the API, on both back ends."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select
from weir.whatif import decided
from weir_orchestrator.db import Combination, Run
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import expand_all
from weir_testing.platform.results import Made, make_runs, store

API = "/api/v1"
ASKED = {"client": 2, "segment": 3, "level": 0}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_runs(tmp_path_factory.mktemp("made"))


def runs_of(platform: Platform, campaign: Any) -> list[Any]:
    with platform.sessions() as session:
        query = select(Run, Combination).join(
            Combination,
            (Combination.campaign_id == Run.campaign_id) & (Combination.number == Run.combination),
        )
        found = session.execute(query.where(Run.campaign_id == campaign).order_by(Run.position))
        return list(found.all())


def test_it_is_the_same_run_with_one_decision(platform: Platform, made: Made) -> None:
    run, combination = runs_of(platform, store(platform, made))[-1]
    assert run.replicate > 0
    answer = platform.client("submit").post(f"{API}/runs/{run.id}/whatif", json=ASKED)
    assert answer.status_code == 201, answer.text
    campaign = answer.json()
    assert campaign["run_count"] == 1
    assert campaign["name"].endswith("-whatif")
    assert campaign["cloned_from"] == str(run.campaign_id)
    expand_all(platform)
    ((other, of),) = runs_of(platform, uuid.UUID(campaign["id"]))
    assert (other.seed, other.state) == (run.seed, "queued")
    assert of.experiment == decided(combination.experiment, 2, {3: 0})
    assert other.key != run.key


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        ({"client": 3}, "clients of the run, 1 to 2"),
        ({"level": 9}, "a level of the ladder"),
        ({"segment": -1}, ""),
        ({"segment": "3"}, ""),
        ({"depth": 1}, ""),
    ],
)
def test_bad_input(platform: Platform, made: Made, change: dict[str, Any], allowed: str) -> None:
    run, _ = runs_of(platform, store(platform, made))[0]
    answer = platform.client("submit").post(f"{API}/runs/{run.id}/whatif", json=ASKED | change)
    assert answer.status_code == 422
    assert allowed in answer.json()["problems"][0]["allowed"]


def test_who_may_and_of_which_runs(platform: Platform, made: Made) -> None:
    run, _ = runs_of(platform, store(platform, made, state_of=lambda p: "failed"))[0]
    where = f"{API}/runs/{run.id}/whatif"
    refused = platform.client("submit").post(where, json=ASKED)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["value"] == "failed"
    assert platform.client("read").post(where, json=ASKED).status_code == 403
    nowhere = f"{API}/runs/999999/whatif"
    assert platform.client("submit").post(nowhere, json=ASKED).status_code == 404
