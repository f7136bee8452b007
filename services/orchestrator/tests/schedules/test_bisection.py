"""The commit that made a night worse is named, with few runs of what became worse alone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pytest
from sqlalchemy import select
from weir_engine import jsonfile
from weir_engine.row import digest
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Bisection, Campaign, Result, Run
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.schedules import bisect_next
from weir_testing.git_server import GitServer
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.nights import CC, METRIC, judged
from weir_testing.platform.results import Made
from weir_testing.platform.turns import at_once

NAME: Final = "player.py"
REPLICATES: Final = 24
COMMITS: Final = 8
FIRST_BAD: Final = 5
FIRST: Final = 8
"""Replicates, where these tell."""
_ABR: Final = (
    "class Abr:\n    def __init__(self, ladder, options):\n        pass\n"
    "    def choose(self, state):\n        return {}\n"
)
_OWN: Final[dict[str, Any]] = {
    "experiment": {**SPEC["experiment"], "clients": [{"player": f"./{NAME}", "count": 2}]},
    "factors": {CC: ["cubic", "reno"]},
    "replicates": REPLICATES,
}

# Nights and verdicts, of which it is made, are held against both by the tests beside.
pytestmark = pytest.mark.parametrize("platform_settings", SERVED, indirect=True)


@pytest.fixture
def platform(open_platform: Platform) -> Platform:
    """It may go to servers on this machine."""
    return open_platform


def nightly(platform: Platform, server: GitServer) -> Any:
    subject = {"name": NAME, "repository": server.url, "branch": "main", "path": "abr.py"}
    given: dict[str, Any] = {"name": "nightly", "cron": "30 2 * * *", "campaign": body(_OWN)}
    given["subjects"], given["baseline"] = [subject], "last-good"
    answer = platform.client("submit").post(f"{HERE}/schedules", json=given)
    assert answer.status_code == 201, answer.text
    return answer.json()


def night(platform: Platform, schedule: Any) -> str:
    """Its campaign."""
    client = platform.client("submit")
    tick = client.post(f"/api/v1/schedules/{schedule['id']}/run").json()
    return str(tick["campaign"])


def carry_out(
    platform: Platform,
    made: Made,
    bad: set[str],
    fails: str = "",
    shares: Mapping[str, float] = MappingProxyType({}),
) -> None:
    """What is submitted ends, with results of the stand-in: bad commits have half the bitrate
    where the control is reno. fails: a commit of which no run succeeds. shares: of others, of the
    bitrate."""
    expand_all(platform)
    folder = made.folders[made.keys[0]]
    with platform.sessions.begin() as session:
        going_on = select(Campaign).where(Campaign.state == "active")
        campaigns = list(session.scalars(going_on))
        for campaign in campaigns:
            commit = campaign.subjects[NAME]
            levels = all_combinations(session, campaign.id)
            for run in session.scalars(select(Run).where(Run.campaign_id == campaign.id)):
                here = Run.id == run.id
                if commit == fails:
                    lifecycle.end_runs(session, here, lifecycle.table.STRAND, "it does not compile")
                    continue
                halved = commit in bad and levels[run.combination][CC] == "reno"
                share = 0.5 if halved else shares.get(commit, 1.0)
                metrics = numbers(folder, run.replicate, share)
                result = session.scalar(select(Result).where(Result.key == run.key))
                if result is None:
                    result = Result(
                        key=run.key,
                        team_id=campaign.team_id,
                        outcome="succeeded",
                        reason="",
                        metrics=metrics,
                        film_s=20.0,
                        wall_s=1.0,
                        size_bytes=1,
                        digest=digest(metrics),
                    )
                    session.add(result)
                    session.flush()
                succeed = lifecycle.table.SUCCEED
                lifecycle.end_runs(session, here, succeed, "", "succeeded", result.id)
    for campaign in campaigns:
        with platform.sessions.begin() as session:
            lifecycle.settle_if_over(session, campaign.id)


def numbers(folder: Path, replicate: int, share: float) -> dict[str, Any]:
    found: dict[str, Any] = jsonfile.read(folder / "metrics.json")
    clients = [{**client, METRIC: share * (2e6 + 1e4 * replicate)} for client in found["clients"]]
    return {**found, "clients": clients}


def bisected(
    platform: Platform,
    made: Made,
    begun: Any,
    bad: set[str],
    fails: str = "",
    shares: Mapping[str, float] = MappingProxyType({}),
    told_by_few: bool = False,
) -> Any:
    """It, when it is over. told_by_few: no commit needs more than its first replicates."""
    client = platform.client("read")
    parts = platform.sessions, platform.objects, platform.settings
    for turns in range(1, 4 * COMMITS):
        at_once(lambda take: bisect_next(*parts, take))
        carry_out(platform, made, bad, fails, shares)
        found = client.get(f"/api/v1/bisections/{begun['id']}").json()
        if found["state"] != "running":
            # A step waits for its runs alone: what ended is judged, and the next begun, in one.
            twice = sum(each["commit"] in shares and not told_by_few for each in found["steps"])
            assert turns == len(found["steps"]) + twice + 1
            return found
    raise AssertionError(found)


def two_nights(
    platform: Platform, server: GitServer, made: Made
) -> tuple[Any, list[str], set[str]]:
    """A schedule, the commits after its good night, and those of them that are bad."""
    server.commit({"abr.py": _ABR.format(0)})
    schedule = nightly(platform, server)
    night(platform, schedule)
    carry_out(platform, made, set())
    judged(platform, schedule)
    commits = []
    for number in range(1, COMMITS + 1):
        own = {"abr.py": _ABR.format(number)}
        commits.append(server.commit(own, f"change {number}", push=False))
        server.commit({"README": str(number)}, "no change of the file", push=number == COMMITS)
    bad = set(commits[FIRST_BAD:]) | {server.git("rev-parse", "HEAD")}
    night(platform, schedule)
    carry_out(platform, made, bad)
    assert judged(platform, schedule)[0]["verdict"] == "worse"
    return schedule, commits, bad


def test_the_first_bad_commit_is_named(platform: Platform, server: GitServer, before: Made) -> None:
    schedule, commits, bad = two_nights(platform, server, before)
    client = platform.client("submit")
    night_id = client.get(f"/api/v1/schedules/{schedule['id']}/board").json()["campaign"]
    answer = client.post(f"/api/v1/schedules/{schedule['id']}/bisections", json={"bad": night_id})
    assert answer.status_code == 201, answer.text
    assert (answer.json()["left"], answer.json()["state"]) == (COMMITS, "running")
    found = bisected(platform, before, answer.json(), bad)
    assert (found["state"], found["first_bad"]) == ("found", commits[FIRST_BAD]), found["told"]
    assert f"change {FIRST_BAD + 1} (Ada" in found["told"][0]
    assert len(found["steps"]) <= 3
    # Only what became worse was run.
    for step in found["steps"]:
        campaign = client.get(f"/api/v1/campaigns/{step['campaign']}").json()
        assert (campaign["combination_count"], campaign["run_count"]) == (1, FIRST)
        assert (campaign["name"], campaign["schedule_id"]) == ("small-bisect", None)
    listed = client.get(f"/api/v1/schedules/{schedule['id']}/bisections").json()["items"]
    assert [each["id"] for each in listed] == [found["id"]]


def test_a_commit_unlike_both_nights_is_run_with_all_replicates(
    platform: Platform, server: GitServer, before: Made
) -> None:
    schedule, commits, bad = two_nights(platform, server, before)
    client = platform.client("submit")
    board = client.get(f"/api/v1/schedules/{schedule['id']}/board").json()
    where = f"/api/v1/schedules/{schedule['id']}/bisections"
    begun = client.post(where, json={"bad": board["campaign"]}).json()
    unlike = {commits[FIRST_BAD - 1]: 0.999, commits[FIRST_BAD - 2]: 0.998}
    found = bisected(platform, before, begun, bad, shares=unlike)
    assert (found["state"], found["first_bad"]) == ("found", commits[FIRST_BAD]), found["told"]
    runs = {
        each["commit"]: client.get(f"/api/v1/campaigns/{each['campaign']}").json()["run_count"]
        for each in found["steps"]
    }
    assert runs.keys() & unlike.keys()
    assert all(runs[each] == (REPLICATES if each in unlike else FIRST) for each in runs), runs


def test_a_night_that_is_better_is_traced_to_its_commit(
    platform: Platform, server: GitServer, before: Made
) -> None:
    schedule, _, bad = two_nights(platform, server, before)
    client = platform.client("submit")
    board = client.get(f"/api/v1/schedules/{schedule['id']}/board").json()
    server.commit({"abr.py": _ABR + "# mended"}, "mend it")
    chosen = {"baseline": board["campaign"]}
    assert client.patch(f"/api/v1/schedules/{schedule['id']}", json=chosen).status_code == 200
    mended = night(platform, schedule)
    carry_out(platform, before, bad)
    assert judged(platform, schedule)[0]["verdict"] == "not worse"
    where = f"/api/v1/schedules/{schedule['id']}/bisections"
    begun = client.post(where, json={"bad": mended}).json()
    found = bisected(platform, before, begun, bad)
    assert found["state"] == "found"
    assert "mend it (Ada" in found["told"][0]
    assert found["told"][1].startswith("better: ")


def test_a_change_that_is_too_small_to_matter_is_traced_by_its_numbers(
    platform: Platform, server: GitServer, before: Made
) -> None:
    server.commit({"abr.py": _ABR.format(0)})
    schedule = nightly(platform, server)
    night(platform, schedule)
    carry_out(platform, before, set())
    judged(platform, schedule)
    later = [server.commit({"abr.py": _ABR.format(number)}) for number in range(1, 5)]
    shares = {later[2]: 0.999, later[3]: 0.998}
    small = night(platform, schedule)
    carry_out(platform, before, set(), shares=shares)
    assert judged(platform, schedule)[0]["verdict"] == "not worse"
    client = platform.client("submit")
    where = f"/api/v1/schedules/{schedule['id']}/bisections"
    begun = client.post(where, json={"bad": small}).json()
    found = bisected(platform, before, begun, set(), shares=shares, told_by_few=True)
    assert (found["state"], found["first_bad"]) == ("found", later[2]), found["told"]
    assert found["told"][1] == "its numbers are not those of the good night"


def test_a_commit_that_does_not_run_is_left_out(
    platform: Platform, server: GitServer, before: Made
) -> None:
    schedule, commits, bad = two_nights(platform, server, before)
    client = platform.client("submit")
    board = client.get(f"/api/v1/schedules/{schedule['id']}/board").json()
    where = f"/api/v1/schedules/{schedule['id']}/bisections"
    begun = client.post(where, json={"bad": board["campaign"]}).json()
    last_good = commits[FIRST_BAD - 1]
    found = bisected(platform, before, begun, bad, fails=last_good)
    assert (found["state"], found["first_bad"]) == ("found", commits[FIRST_BAD])
    assert [each["outcome"] for each in found["steps"]].count("skipped") == 1
    assert last_good[:12] in found["told"][-1]


def test_what_cannot_be_bisected_is_refused(
    platform: Platform, server: GitServer, before: Made
) -> None:
    schedule, commits, _ = two_nights(platform, server, before)
    client = platform.client("submit")
    board = client.get(f"/api/v1/schedules/{schedule['id']}/board").json()
    bad, good = board["campaign"], board["night"]["baseline"]
    where = f"/api/v1/schedules/{schedule['id']}/bisections"
    for given, told in (
        ({"bad": good}, "compared with none"),
        ({"bad": good, "good": good}, "one that changed"),
        ({"bad": bad, "subject": "other.py"}, "one that changed (player.py)"),
        ({"bad": str(uuid.uuid4())}, "no such campaign"),
    ):
        answer = client.post(where, json=given)
        assert (answer.status_code in {404, 422}, told in answer.text) == (True, True), answer.text
    with platform.sessions.begin() as session:
        for each in (good, bad):
            campaign = session.get_one(Campaign, uuid.UUID(each))
            campaign.subjects = {**campaign.subjects, "campaign.yaml": each}
    answer = client.post(where, json={"bad": bad, "subject": "campaign.yaml"})
    assert (answer.status_code, "own file" in answer.text) == (422, True), answer.text
    server.git("reset", "--quiet", "--hard", commits[0])
    server.commit({"abr.py": "anew"})
    answer = client.post(where, json={"bad": bad, "subject": NAME})
    assert (answer.status_code, "rewritten" in answer.text) == (422, True), answer.text
    with platform.sessions() as session:
        assert session.scalars(select(Bisection)).all() == []
