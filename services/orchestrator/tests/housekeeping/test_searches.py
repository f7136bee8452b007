"""Campaigns that search go on round by round, whoever looks and whatever happens in between."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import yaml
from sqlalchemy import func, select
from weir.expand import Expansion, replicate_seed
from weir.runkey import run_key
from weir.spec.load import load_campaign
from weir_orchestrator.db import Campaign, Combination, Run
from weir_orchestrator.housekeeping.next_round import write_next_round
from weir_orchestrator.housekeeping.searches import Searches
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import SPEC
from weir_testing.platform.searching import (
    CHANGES,
    CONTROL,
    NEEDED,
    RATE,
    SEARCH,
    begin,
    carry_out,
    found,
    got,
    look,
    until_over,
)


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


def test_a_level_that_cannot_be_made_refuses_the_campaign(platform: Platform) -> None:
    campaign = begin(platform)
    carry_out(platform)
    strict = platform.settings.model_copy(update={"max_film": platform.settings.max_film * 0})
    assert Searches().go_on(platform.sessions, platform.objects, strict)
    refused = got(platform, campaign)
    assert refused["state"] == "refused"
    assert refused["problems"][0]["path"] == "experiment.duration"
    assert refused["counts"] == {"succeeded": 8}
