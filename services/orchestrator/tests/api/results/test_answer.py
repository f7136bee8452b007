"""A campaign's question: answered by the runs that there are, and ended when it is told."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from weir_engine import jsonfile
from weir_engine.row import measured
from weir_orchestrator.db import Campaign
from weir_orchestrator.housekeeping.questions import Questions
from weir_testing.platform import Platform
from weir_testing.platform.results import CC, METRIC, Made, make_runs, store
from weir_testing.platform.work import states

PAIRS = 9


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    # Which of the two is better is drawn: that neither is by half is told by seven pairs.
    question = {"does": "reno", "metric": METRIC, "matters": "50%"}
    folder = tmp_path_factory.mktemp("asked")
    factors = {CC: ["cubic", "reno"]}
    return make_runs(folder, factors=factors, question=question, replicates=PAIRS)


def answer(platform: Platform, campaign: uuid.UUID) -> dict[str, Any]:
    asked = platform.client("read").get(f"/api/v1/campaigns/{campaign}/answer")
    assert asked.status_code == 200, asked.text
    found: dict[str, Any] = asked.json()
    return found


def active(platform: Platform, made: Made, ended: int) -> uuid.UUID:
    """Under way: the first runs have succeeded, the others wait."""
    campaign = store(platform, made, state_of=lambda p: "succeeded" if p < ended else "queued")
    with platform.sessions.begin() as session:
        going = (
            update(Campaign).where(Campaign.id == campaign).values(state="active", ended_at=None)
        )
        session.execute(going)
    return campaign


def test_the_answer_is_of_the_pairs_that_there_are(platform: Platform, made: Made) -> None:
    campaign = active(platform, made, 7)
    found = answer(platform, campaign)
    assert (found["n"], found["distinct"], found["most"]) == (3, 3, PAIRS)
    assert (found["verdict"], found["is_told"], found["low"]) == ("cannot tell", False, None)
    assert (found["does_level"], found["beat_level"], found["factor"]) == ("reno", "cubic", CC)
    assert found["sentence"].startswith("Not told yet: reno makes ")
    cost = found["cost"]
    assert (cost["runs"], cost["film_s"]) == (7, 7 * 20.0)
    pair = found["typical"]
    runs = [
        platform.client("read").get(f"/api/v1/runs/{pair[side]}").json()
        for side in ("does_run", "beat_run")
    ]
    assert [run["levels"][CC] for run in runs] == ["reno", "cubic"]
    assert len({run["seed"] for run in runs}) == 1
    numbers = [
        measured(jsonfile.read(made.folders[run["key"]] / "metrics.json"))[METRIC] for run in runs
    ]
    assert [pair["does"], pair["beat"]] == pytest.approx(numbers)
    assert pair["difference"] == pytest.approx(pair["does"] - pair["beat"])


def test_a_campaign_ends_when_its_question_is_told(platform: Platform, made: Made) -> None:
    early, campaign = active(platform, made, 12), active(platform, made, 14)
    Questions().conclude(platform.sessions)
    assert states(platform.sessions, early).count("queued") == 6, "six pairs do not tell"
    assert states(platform.sessions, campaign) == ["succeeded"] * 14 + ["cancelled"] * 4
    shown = platform.client("read").get(f"/api/v1/campaigns/{campaign}").json()
    assert (shown["state"], shown["has_question"]) == ("finished", True)
    found = answer(platform, campaign)
    assert (found["verdict"], found["is_told"], found["n"]) == ("no difference", True, 7)
    assert found["sentence"].startswith(
        "Neither: reno and cubic differ by less than matters (50 %)"
    )


def test_who_asks_nothing_gets_no_answer(platform: Platform, tmp_path: Path) -> None:
    campaign = store(platform, make_runs(tmp_path, replicates=1))
    asked = platform.client("read").get(f"/api/v1/campaigns/{campaign}/answer")
    assert asked.status_code == 409
    assert "no `question`" in asked.json()["detail"]
    shown = platform.client("read").get(f"/api/v1/campaigns/{campaign}").json()
    assert shown["has_question"] is False
