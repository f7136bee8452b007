"""Campaigns that search go on round by round, whoever looks and whatever happens in between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from sqlalchemy import func, select, update
from weir.expand import Expansion, replicate_seed
from weir.runkey import run_key
from weir.spec.load import load_campaign
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination, Run, Team
from weir_orchestrator.housekeeping.next_round import write_next_round
from weir_orchestrator.housekeeping.searches import Searches
from weir_orchestrator.lifecycle import table
from weir_orchestrator.work.metric_rows import store_values
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, stored_result, submit

RATE: Final = "gateway.downlink.rate"
CONTROL: Final = "server.congestion_control"
NEEDED: Final = {"cubic": 6, "reno": 3}
SEARCH: Final[dict[str, Any]] = {
    "factor": RATE,
    "from": "1Mbit/s",
    "to": "9Mbit/s",
    "step": "1Mbit/s",
    "passes": {"metric": "drops_burst", "at_most": 0},
    "confirm": 1,
}
CHANGES: Final[dict[str, Any]] = {
    "search": SEARCH,
    "factors": {CONTROL: ["cubic", "reno"]},
    "replicates": 2,
}
Drops = Callable[[str, int, int], int | None]
"""Control, rate in Mbit/s and replicate -> drops; None: the run fails."""


def missing(control: str, rate: int, replicate: int) -> int:
    """A drop for each Mbit/s that is missing."""
    return max(0, NEEDED[control] - rate)


def carry_out(platform: Platform, drops: Drops = missing, at_most: int = 1_000) -> int:
    """End what is queued of campaigns that are active, as workers do; how many runs."""
    with platform.sessions() as session:
        query = (
            select(Run.key, Run.campaign_id, Run.replicate, Combination.levels)
            .join(Campaign, Campaign.id == Run.campaign_id)
            .join(
                Combination,
                (Combination.campaign_id == Run.campaign_id)
                & (Combination.number == Run.combination),
            )
            .where(Run.state == "queued", Campaign.state == "active")
        )
        queued = session.execute(query.order_by(Run.position).limit(at_most)).all()
    for key, campaign_id, replicate, levels in queued:
        rate = int(levels[RATE].removesuffix("Mbit/s"))
        count = drops(levels[CONTROL], rate, replicate)
        with platform.sessions.begin() as session:
            if count is None:
                lifecycle.end_runs(session, Run.key == key, table.FAIL, "no disk")
            else:
                run = {"drops_burst": count, "edf_rate_bps": 4e6}
                metrics = {"run": run, "clients": [{"client": 1, "rank": 1}]}
                result = stored_result(key, "succeeded", metrics=metrics)
                session.add(result)
                session.flush()
                store_values(session, {result.id: metrics})
                ended = (table.SUCCEED, "", "succeeded", result.id)
                lifecycle.end_runs(session, Run.key == key, *ended)
        with platform.sessions.begin() as session:
            lifecycle.settle_if_over(session, campaign_id)
    return len(queued)


def look(platform: Platform) -> bool:
    """Of a housekeeper that has just begun."""
    return Searches().go_on(platform.sessions, platform.objects, platform.settings)


def until_over(platform: Platform, drops: Drops = missing) -> list[int]:
    """Runs of each round, of which the first was queued already."""
    rounds = []
    while some := carry_out(platform, drops):
        rounds.append(some)
        while look(platform):
            pass
    return rounds


def begin(platform: Platform, **changes: Any) -> str:
    made = submit(platform.client("submit"), {**CHANGES, **changes})
    expand_all(platform)
    return str(made["id"])


def got(platform: Platform, path: str) -> Any:
    answer = platform.client("read").get(f"/api/v1/campaigns/{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def steer(platform: Platform, path: str, **asked: Any) -> Any:
    answer = platform.client("submit").post(f"/api/v1/campaigns/{path}", json=asked or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def found(platform: Platform, campaign: str) -> list[str | None]:
    subjects = got(platform, f"{campaign}/search")["subjects"]
    return [each["level"] and each["level"]["text"] for each in subjects]


def test_rounds_follow_each_other_until_every_subject_has_its_level(
    platform: Platform, tmp_path: Path
) -> None:
    campaign = begin(platform)
    made = got(platform, campaign)
    assert (made["state"], made["run_count"], made["has_search"]) == ("active", 8, True)
    assert not look(platform)  # nothing has ended yet
    # Ends, 5; then 3 beside 7; 6 beside 2; and cubic's 7 and reno's 4 confirm.
    assert until_over(platform) == [8, 4, 4, 4, 2]
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    ended = got(platform, campaign)
    assert (ended["state"], ended["searching"]) == ("finished", False)
    assert ended["counts"] == {"succeeded": ended["run_count"]} == {"succeeded": 22}
    assert ended["combination_count"] == 11

    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump({**SPEC, **CHANGES}))
    expansion = Expansion(load_campaign(path))
    tried = {"cubic": [1, 5, 6, 7, 9], "reno": [1, 2, 3, 4, 5, 9]}
    keys = {
        run_key(experiment, replicate_seed(1, k), ended["kernel_hash"], ended["roles_hash"])
        for control, rates in tried.items()
        for rate in rates
        for experiment in [expansion.experiment({CONTROL: control, RATE: f"{rate}Mbit/s"})]
        for k in range(2)
    }
    with platform.sessions() as session:
        assert set(session.scalars(select(Run.key))) == keys
        positions = session.scalars(select(Run.position).order_by(Run.position)).all()
        assert list(positions) == list(range(22))


def test_with_near_a_level_starts_at_what_was_found_for_the_one_before(platform: Platform) -> None:
    campaign = begin(platform, search={**SEARCH, "near": CONTROL})
    # Ends, and reno's lower one; cubic's 5, 7, 6, and its 7 confirms; reno's 6, 5, 3, 2 and 4.
    assert until_over(platform) == [6, 2, 2, 2, 2, 2, 2, 2, 2]
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


def test_what_is_shown_narrows(platform: Platform) -> None:
    campaign = begin(platform)
    shown = got(platform, f"{campaign}/search")
    assert (shown["subject_count"], shown["ended"], shown["levels"]) == (2, 0, 9)
    assert shown["sentence"] == f"The smallest {RATE} that passes is found for 0 of 2."
    assert [trial["verdict"] for trial in shown["subjects"][0]["trials"]] == ["open", "open"]
    carry_out(platform)
    look(platform)
    cubic, _ = got(platform, f"{campaign}/search")["subjects"]
    assert (cubic["fails_at"]["text"], cubic["passes_at"]["text"]) == ("1Mbit/s", "9Mbit/s")
    assert [(t["level"]["number"], t["verdict"], t["value"]) for t in cubic["trials"]] == [
        (1e6, "failed", 5),
        (5e6, "open", None),
        (9e6, "passed", 0),
    ]
    assert [run["state"] for run in cubic["trials"][1]["runs"]] == ["queued", "queued"]
    progress = got(platform, f"{campaign}/progress")
    assert (progress["run_count"], progress["eta_s"]) == (12, None)
    assert progress["search"] == {
        "subjects": 2, "ended": 0, "levels_tried": 6, "most_runs": 8 + 4 * (3 + 1), "exceptions": 0
    }  # fmt: skip
    until_over(platform)
    told = got(platform, f"{campaign}/search")
    assert told["is_told"]
    assert told["sentence"] == f"The smallest {RATE} that passes is found for 2 of 2."


def test_levels_beyond_the_found_one_that_fail_are_told_and_counted(platform: Platform) -> None:
    campaign = begin(platform)

    def drops(control: str, rate: int, replicate: int) -> int:
        return 1 if (control, rate) == ("reno", 4) else missing(control, rate, replicate)

    until_over(platform, drops)
    told = got(platform, f"{campaign}/search")
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert [[level["text"] for level in each["exceptions"]] for each in told["subjects"]] == [
        [],
        ["4Mbit/s"],
    ]
    assert told["exceptions"] == got(platform, f"{campaign}/progress")["search"]["exceptions"] == 1
    assert told["sentence"].endswith("for 2 of 2. 1 level beyond what was found fails.")


def test_groups_stand_by_rising_levels_however_bisection_came_to_them(platform: Platform) -> None:
    campaign = begin(platform)
    until_over(platform)
    groups = got(platform, f"{campaign}/aggregate?metric=drops_burst&rows={RATE}")["groups"]
    assert [each["levels"][RATE] for each in groups] == [
        f"{rate}Mbit/s" for rate in (1, 2, 3, 4, 5, 6, 7, 9)
    ]


def test_the_report_is_of_what_was_found(platform: Platform) -> None:
    campaign = begin(platform)
    until_over(platform)
    report = got(platform, f"{campaign}/report?metric=searched_level")
    assert report["factors"] == [CONTROL]
    told = {group["levels"][CONTROL]: (group["mean"], group["n"]) for group in report["groups"]}
    assert told == {"cubic": (6e6, 1), "reno": (3e6, 1)}
    asked = f"/api/v1/campaigns/{campaign}/report?level.{RATE}=6Mbit/s"
    refused = platform.client("read").get(asked)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == f"level.{RATE}"


def test_a_subject_goes_on_when_all_its_runs_have_ended(platform: Platform) -> None:
    begin(platform)
    searches = Searches()

    def again() -> bool:
        return searches.go_on(platform.sessions, platform.objects, platform.settings)

    carry_out(platform, at_most=3)  # cubic's second end lacks a replicate
    assert not again()
    carry_out(platform, at_most=1)
    assert again()  # reno's ends are still to come
    assert not again()
    with platform.sessions() as session:
        assert session.scalar(select(func.count(Run.id))) == 10


def test_several_housekeepers_write_every_run_once(platform: Platform) -> None:
    campaign = begin(platform)
    carry_out(platform)
    with platform.sessions() as session:
        campaign_id = session.scalars(select(Campaign.id)).one()
    together = threading.Barrier(3)

    def house() -> None:
        together.wait()
        write_next_round(platform.sessions, platform.objects, platform.settings, campaign_id)

    threads = [threading.Thread(target=house) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with platform.sessions() as session:
        query = select(func.count(), func.count(Run.key.distinct()), func.max(Run.position))
        assert tuple(session.execute(query).one()) == (12, 12, 11)
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]


def test_one_that_is_known_already_runs_nothing(platform: Platform) -> None:
    begin(platform)
    until_over(platform)
    again = begin(platform, name="again")
    while look(platform):
        pass
    ended = got(platform, again)
    assert (ended["state"], ended["counts"]) == ("finished", {"succeeded": 22})
    assert found(platform, again) == ["6Mbit/s", "3Mbit/s"]


@pytest.mark.parametrize(("more", "first"), [({}, ["1Mbit/s"]), ({"find": "largest"}, ["9Mbit/s"])])
def test_one_that_starts_at_a_metric_begins_with_one_end(
    platform: Platform, more: dict[str, str], first: list[str]
) -> None:
    """Drops are more than nothing at low rates for `smallest`, at high ones for `largest`."""
    search = {**SEARCH, "start": "edf_rate_bps", **more}
    campaign = begin(platform, search=search)
    with platform.sessions() as session:
        levels = {each[RATE] for each in session.scalars(select(Combination.levels))}
    assert sorted(levels) == first
    assert got(platform, f"{campaign}/document")["cell"] is not None

    def drops(control: str, rate: int, replicate: int) -> int:
        short = NEEDED[control] - rate
        return max(0, -short if more else short)

    until_over(platform, drops)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


def test_a_replicate_may_be_searched_by_itself(platform: Platform) -> None:
    campaign = begin(platform, search={**SEARCH, "per": "replicate"})
    until_over(platform, lambda control, rate, replicate: max(0, 4 + replicate - rate))
    subjects = got(platform, f"{campaign}/search")["subjects"]
    assert [(each["replicate"], each["level"]["text"]) for each in subjects] == [
        (0, "4Mbit/s"),
        (1, "5Mbit/s"),
    ] * 2


@pytest.mark.parametrize(
    ("drops", "verdict"),
    [((9, 7), "failed"), ((0, 0), "passed")],
    ids=["both fail", "both pass"],
)
def test_ends_that_agree_end_the_search_with_both_results(
    platform: Platform, drops: tuple[int, int], verdict: str
) -> None:
    campaign = begin(platform, factors={CONTROL: ["cubic"]})
    at_from, at_to = drops
    rounds = until_over(platform, lambda control, rate, replicate: at_from if rate == 1 else at_to)
    assert rounds == [4]
    shown = got(platform, f"{campaign}/search")
    (subject,) = shown["subjects"]
    assert (subject["state"], subject["level"]) == ("none", None)
    assert [trial["verdict"] for trial in subject["trials"]] == [verdict, verdict]
    assert [trial["value"] for trial in subject["trials"]] == [at_from, at_to]
    does = verdict.removesuffix("ed")
    assert subject["reason"] == (
        f"both ends {does}, 1Mbit/s and 9Mbit/s: widen from and to "
        f"(drops_burst is {at_from} and {at_to})"
    )
    assert subject["reason"] in shown["sentence"]
    assert got(platform, campaign)["state"] == "finished"


def test_a_run_that_fails_ends_its_subject_until_it_is_run_again(platform: Platform) -> None:
    campaign = begin(platform)

    def failing(control: str, rate: int, replicate: int) -> int | None:
        drops = missing(control, rate, replicate)
        return None if (control, rate, replicate) == ("cubic", 5, 1) else drops

    until_over(platform, failing)
    cubic, reno = got(platform, f"{campaign}/search")["subjects"]
    assert (cubic["state"], reno["state"]) == ("none", "found")
    assert cubic["reason"].startswith("at 5Mbit/s: the run ")
    assert cubic["trials"][1]["verdict"] == "unknown"
    assert got(platform, campaign)["state"] == "finished"
    assert steer(platform, f"{campaign}/rerun", only=["failed"]) == {"queued": 1}
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


def test_paused_it_waits_and_goes_on_when_resumed(platform: Platform) -> None:
    campaign = begin(platform)
    carry_out(platform)
    steer(platform, f"{campaign}/pause")
    look(platform)
    assert carry_out(platform) == 0
    assert got(platform, campaign)["state"] == "paused"
    steer(platform, f"{campaign}/resume")
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


@pytest.mark.parametrize("between", [True, False])
def test_cancelled_it_ends_and_goes_on_when_run_again(platform: Platform, between: bool) -> None:
    """between: two rounds, when no run is left to be cancelled."""
    campaign = begin(platform)
    carry_out(platform)
    if not between:
        look(platform)
    steer(platform, f"{campaign}/cancel")
    assert not look(platform)
    cancelled = got(platform, campaign)
    assert cancelled["state"] == "cancelled"
    assert cancelled["counts"].get("cancelled", 0) == (0 if between else 4)
    steer(platform, f"{campaign}/rerun", only=["cancelled"])
    assert got(platform, campaign)["state"] == "active"
    look(platform)
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


def test_quotas_and_estimates_are_of_what_it_may_come_to(platform: Platform) -> None:
    client = platform.client("submit")
    estimate = client.post(f"{HERE}/campaigns/estimate", json=body(CHANGES)).json()
    validated = client.post(f"{HERE}/campaigns/validate", json=body(CHANGES)).json()
    assert (estimate["runs"], estimate["film_s"], estimate["exact"]) == (24, 24 * 20, False)
    assert (validated["runs"], validated["at_most"]) == (24, True)
    with platform.sessions.begin() as session:
        here = update(Team).where(Team.id == platform.team_id)
        session.execute(here.values(max_runs_per_campaign=23))
    refused = client.post(f"{HERE}/campaigns", json=body(CHANGES))
    assert refused.status_code == 429, refused.text
    assert "24 runs; the team's quota is 23" in refused.text
    with platform.sessions.begin() as session:
        session.execute(here.values(max_runs_per_campaign=24))
    submit(client, CHANGES)


def test_a_level_that_cannot_be_made_refuses_the_campaign(platform: Platform) -> None:
    campaign = begin(platform)
    carry_out(platform)
    strict = platform.settings.model_copy(update={"max_film": platform.settings.max_film * 0})
    assert Searches().go_on(platform.sessions, platform.objects, strict)
    refused = got(platform, campaign)
    assert refused["state"] == "refused"
    assert refused["problems"][0]["path"] == "experiment.duration"
    assert refused["counts"] == {"succeeded": 8}


@pytest.mark.parametrize(
    ("search", "more", "path", "value"),
    [
        ({"step": "0Mbit/s"}, {}, "search.step", "0Mbit/s"),
        ({}, {"factors": {RATE: ["2Mbit/s"]}}, "search.factor", RATE),
        ({"passes": {"metric": "luck", "at_most": 0}}, {}, "search.passes.metric", "luck"),
        ({"to": "9.5Mbit/s"}, {}, "search.to", "9.5Mbit/s"),
        ({"factor": "gateway.uplink.rat"}, {}, "search.factor", "gateway.uplink.rat"),
    ],
)
def test_a_search_that_cannot_be_is_refused_as_by_the_command(
    platform: Platform,
    tmp_path: Path,
    search: dict[str, Any],
    more: dict[str, Any],
    path: str,
    value: str | None,
) -> None:
    changes = {**CHANGES, **more, "search": {**SEARCH, **search}}
    answer = platform.client("submit").post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422, answer.text
    (problem,) = answer.json()["problems"]
    assert (problem["path"], problem["value"]) == (path, value)
    assert problem["allowed"]
    assert problem["remedy"]


def test_what_does_not_search_says_so(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    refused = platform.client("read").get(f"/api/v1/campaigns/{made['id']}/search")
    assert refused.status_code == 409
    assert "its document has no `search`" in refused.text
    assert got(platform, f"{made['id']}/progress")["search"] is None
    assert not got(platform, made["id"])["has_search"]
