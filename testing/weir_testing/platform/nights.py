"""A schedule's nights: campaigns with results that are judged."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any, Final

import pytest
from sqlalchemy import select
from weir_engine.row import digest
from weir_orchestrator.db import Campaign, Result, Run, ScheduleTick, utc_now
from weir_orchestrator.schedules import judge_next

from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, body
from weir_testing.platform.results import KERNEL, Made, make_runs, store

__all__ = [
    "CC",
    "FEW",
    "LAB",
    "METRIC",
    "after",
    "before",
    "few",
    "judged",
    "night",
    "play_at",
    "schedule",
]

CC: Final = "server.congestion_control"
METRIC: Final = "mean_bitrate_bps"
"""What `night` sets."""
MEAN_BPS: Final = 2e6
REPLICATES: Final = 24
FEW: Final = 6
"""Replicates with which nothing is told."""
LAB: Final[dict[str, Any]] = {
    "kernel_hash": KERNEL.hash,
    "roles_hash": "r" * 32,
    "spec": {"seed": 1},
}
"""Fields of a campaign that may be extended."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A campaign of one combination and 24 seeds."""
    folder = tmp_path_factory.mktemp("before")
    return make_runs(folder, factors={CC: ["reno"]}, replicates=REPLICATES)


@pytest.fixture(scope="module")
def after(before: Made, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The same seeds under other keys."""
    folder = tmp_path_factory.mktemp("after")
    changed = before.spec["experiment"] | {"duration": "30s"}
    return make_runs(folder, factors={CC: ["reno"]}, replicates=REPLICATES, experiment=changed)


def few(made: Made) -> Made:
    """Its first replicates."""
    spec = {**made.spec, "replicates": FEW}
    return replace(made, spec=spec, runs=made.runs[:FEW], keys=made.keys[:FEW])


def schedule(platform: Platform, baseline: str, **fields: Any) -> Any:
    """Made by a member who may submit."""
    given = {
        "name": f"nightly {baseline}",
        "cron": "30 2 * * *",
        "campaign": body(),
        "baseline": baseline,
        **fields,
    }
    answer = platform.client("submit").post(f"{HERE}/schedules", json=given)
    assert answer.status_code == 201, answer.text
    assert answer.json()["baseline"] == baseline
    return answer.json()


def night(
    platform: Platform, of: Any, made: Made, bitrate: float = 1.0, **fields: Any
) -> uuid.UUID:
    """A finished campaign of the schedule, whose players got this share of MEAN_BPS.

    Runs of one key share a result: its nights have one bitrate. fields: of the campaign.
    """
    campaign_id = store(platform, made)
    with platform.sessions.begin() as session:
        campaign = session.get_one(Campaign, campaign_id)
        campaign.schedule_id, campaign.state = uuid.UUID(of["id"]), "finished"
        for name, value in fields.items():
            setattr(campaign, name, value)
        tick = ScheduleTick(schedule_id=campaign.schedule_id, due_at=utc_now())
        tick.outcome, tick.campaign_id = "submitted", campaign_id
        session.add(tick)
    play_at(platform, campaign_id, bitrate)
    return campaign_id


def play_at(platform: Platform, campaign_id: uuid.UUID, bitrate: float) -> None:
    """Let a campaign's players have got this share of MEAN_BPS."""
    with platform.sessions.begin() as session:
        own = select(Result).join(Run, Run.result_id == Result.id)
        for result in session.scalars(own.where(Run.campaign_id == campaign_id)):
            clients = [
                {**client, METRIC: bitrate * MEAN_BPS} for client in result.metrics["clients"]
            ]
            result.metrics = {**result.metrics, "clients": clients}
            result.digest = digest(result.metrics)


def judged(platform: Platform, of: Any) -> list[Any]:
    """What is said of its nights, the newest first."""
    while judge_next(platform.sessions):
        pass
    found = platform.client("read").get(f"/api/v1/schedules/{of['id']}/ticks").json()
    return [tick["night"] for tick in found["items"]]
