"""What the API tells of a search: how far it is, what it found, and the report over that."""

from __future__ import annotations

from weir_testing.platform import Platform
from weir_testing.platform.campaigns import submit
from weir_testing.platform.searching import (
    CONTROL,
    RATE,
    begin,
    carry_out,
    found,
    got,
    look,
    missing,
    until_over,
)


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
    groups = got(platform, f"{campaign}/aggregate", metric="drops_burst", rows=RATE)["groups"]
    assert [each["levels"][RATE] for each in groups] == [
        f"{rate}Mbit/s" for rate in (1, 2, 3, 4, 5, 6, 7, 9)
    ]


def test_the_report_is_of_what_was_found(platform: Platform) -> None:
    campaign = begin(platform)
    until_over(platform)
    report = got(platform, f"{campaign}/report", metric="searched_level")
    assert report["factors"] == [CONTROL]
    told = {group["levels"][CONTROL]: (group["mean"], group["n"]) for group in report["groups"]}
    assert told == {"cubic": (6e6, 1), "reno": (3e6, 1)}
    asked = f"/api/v1/campaigns/{campaign}/report?level.{RATE}=6Mbit/s"
    refused = platform.client("read").get(asked)
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["path"] == f"level.{RATE}"


def test_what_does_not_search_says_so(platform: Platform) -> None:
    made = submit(platform.client("submit"))
    refused = platform.client("read").get(f"/api/v1/campaigns/{made['id']}/search")
    assert refused.status_code == 409
    assert "its document has no `search`" in refused.text
    assert got(platform, f"{made['id']}/progress")["search"] is None
    assert not got(platform, made["id"])["has_search"]
