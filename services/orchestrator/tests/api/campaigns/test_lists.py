"""How a team's campaigns are found and looked at."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update
from weir_orchestrator.db import Campaign, Event, Run, Worker, utc_now
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.campaigns import HERE, expand_all, expand_some, submit


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
    expand_some(platform)
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


def _at_work(platform: Platform, ended: int, began: timedelta) -> dict[str, Any]:
    """The progress of a campaign of 12 runs, the first of which began a while ago."""
    client = platform.client("submit")
    where = f"/api/v1/campaigns/{submit(client)['id']}/progress"
    assert client.get(where).json()["runs_per_s"] is None
    expand_all(platform)
    with platform.sessions.begin() as session:
        campaign = session.scalars(select(Campaign)).one()
        session.execute(update(Run).where(Run.position < ended).values(state="succeeded"))

        def happened(kind: str, at: datetime) -> Event:
            return Event(team_id=campaign.team_id, campaign_id=campaign.id, kind=kind, at=at)

        now = utc_now()
        session.add(happened("run.started", now - began))
        session.add_all([happened("run.ended", now) for _ in range(ended)])
    found: dict[str, Any] = client.get(where).json()
    assert (found["ended"], found["run_count"], found["expanded"]) == (ended, 12, 12)
    return found


def test_progress_tells_rate_and_end_from_the_first_moments_on(platform: Platform) -> None:
    found = _at_work(platform, ended=6, began=timedelta(seconds=20))
    assert 6 / 60 < found["runs_per_s"] <= 6 / 20
    assert found["speed"] == pytest.approx(20 * found["runs_per_s"])
    assert found["eta_s"] == pytest.approx(6 / found["runs_per_s"])


def test_progress_of_runs_that_take_minutes_is_told_over_more_than_one(platform: Platform) -> None:
    found = _at_work(platform, ended=2, began=timedelta(minutes=5))
    assert 10 / found["runs_per_s"] >= 5 * 5 * 60


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


def test_progress_tells_of_the_kernel_that_a_worker_builds(platform: Platform) -> None:
    client = platform.client("submit")
    made = submit(client)
    expand_all(platform)
    where = f"/api/v1/campaigns/{made['id']}/progress"
    assert client.get(where).json()["kernel_build"] is None
    build = {"number": 1, "of": 2, "done": 24, "total": 40, "what": "CC net/ipv4/tcp_input.o"}
    for kernel in ("another", made["kernel_hash"]):
        with platform.sessions.begin() as session:
            building = {**build, "kernel_hash": kernel}
            session.add(Worker(host=f"for-{kernel}", pid=1, jobs=1, building=building))
    told = {**build, "host": f"for-{made['kernel_hash']}"}
    assert client.get(where).json()["kernel_build"] == told
    with platform.sessions.begin() as session:
        session.execute(update(Worker).values(state="gone"))
    assert client.get(where).json()["kernel_build"] is None
