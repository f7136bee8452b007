"""What people say of a campaign: its name, tags and notes, and whether lists show it."""

from __future__ import annotations

from typing import Any

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, submit


def named(platform: Platform, **params: Any) -> list[str]:
    answer = platform.client("read").get(f"{HERE}/campaigns", params=params)
    assert answer.status_code == 200, answer.text
    return [each["name"] for each in answer.json()["items"]]


def edit(platform: Platform, campaign: Any, **change: Any) -> Any:
    answer = platform.client("submit").patch(f"/api/v1/campaigns/{campaign['id']}", json=change)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_lists_leave_archived_campaigns_out_until_they_come_back(platform: Platform) -> None:
    old, _ = (submit(platform.client("submit"), {"name": name}) for name in ("old", "new"))
    since = edit(platform, old, archived=True)["archived_at"]
    assert edit(platform, old, archived=True)["archived_at"] == since
    assert named(platform) == ["new"]
    assert named(platform, archived=True) == ["old"]
    assert edit(platform, old, archived=False)["archived_at"] is None
    assert named(platform) == ["new", "old"]


def test_lists_show_what_has_all_of_the_tags(platform: Platform) -> None:
    made = {name: submit(platform.client("submit"), {"name": name}) for name in ("a", "b", "c")}
    assert edit(platform, made["a"], tags=["paper", "figure 3", "paper"])["tags"] == [
        "figure 3",
        "paper",
    ]
    edit(platform, made["b"], tags=["paper"])
    assert named(platform, tag="paper") == ["b", "a"]
    assert named(platform, tag=["paper", "figure 3"]) == ["a"]
    told = platform.client("read").get(f"{HERE}/tags").json()["items"]
    assert told == [{"tag": "figure 3", "campaigns": 1}, {"tag": "paper", "campaigns": 2}]
    edit(platform, made["a"], tags=[])
    assert named(platform, tag="figure 3") == []


def test_what_is_left_out_stays(platform: Platform) -> None:
    campaign = submit(platform.client("submit"))
    edit(platform, campaign, tags=["paper"], notes="see <issue 12>")
    changed = edit(platform, campaign, name="first-look")
    assert (changed["name"], changed["tags"], changed["notes"]) == (
        "first-look",
        ["paper"],
        "see <issue 12>",
    )
    document = platform.client("read").get(f"/api/v1/campaigns/{campaign['id']}/document").json()
    assert "name: small" in document["document"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"name": "With Spaces"}, "name"),
        ({"tags": [" paper"]}, "tags.0"),
        ({"tags": ["a,b"]}, "tags.0"),
        ({"tags": ["x" * 41]}, "tags.0"),
        ({"tags": [f"t{number}" for number in range(21)]}, "tags"),
        ({"notes": "x" * 10_001}, "notes"),
        ({"notes": "a\0b"}, "notes"),
        ({"state": "finished"}, "state"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(
    platform: Platform, change: dict[str, Any], path: str
) -> None:
    campaign = submit(platform.client("submit"))
    where = f"/api/v1/campaigns/{campaign['id']}"
    answer = platform.client("submit").patch(where, json=change)
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json()["problems"]] == [path]
    assert platform.client("read").get(where).json()["tags"] == []
