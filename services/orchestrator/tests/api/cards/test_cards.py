"""Kept views: what they hold, who sees them, and what they take."""

from __future__ import annotations

import base64
import re
import uuid
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, inspect, select
from weir_orchestrator.api.cards.schemas import MOST_CARDS
from weir_orchestrator.db import Card, Run
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.campaigns import HERE, expand_all, submit

API = "/api/v1"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect/></svg>'
HOSTILE = '<script>alert("a")</script>'


def picture(content: bytes, kind: str = "image/svg+xml") -> dict[str, str]:
    return {"type": kind, "base64": base64.b64encode(content).decode()}


def view(campaign: Any, **changes: Any) -> dict[str, Any]:
    return {
        "name": "Figure 3",
        "text": "Illinois wins.",
        "title": "Mean bitrate by congestion control",
        "view": f"/teams/{TEAM}/campaigns/{campaign['id']}/results?metric=jain",
        "picture": picture(SVG),
        "numbers": {"columns": ["control", "Mbit/s"], "rows": [["cubic", 1.5], ["reno", None]]},
        "campaigns": [campaign["id"]],
        **changes,
    }


@pytest.fixture
def client(platform: Platform) -> TestClient:
    return platform.client("submit")


@pytest.fixture
def campaign(platform: Platform, client: TestClient) -> Any:
    made = submit(client)
    expand_all(platform)
    return made


def kept(client: TestClient, campaign: Any, **changes: Any) -> Any:
    answer = client.post(f"{HERE}/cards", json=view(campaign, **changes))
    assert answer.status_code == 201, answer.text
    return answer.json()


class Shown(HTMLParser):
    """Elements and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_card_holds_what_it_was_made_of(
    platform: Platform, client: TestClient, campaign: Any
) -> None:
    card = kept(client, campaign)
    with platform.sessions() as session:
        keys = list(session.scalars(select(Run.key).order_by(Run.position)))
    assert [run["key"] for run in card["runs"]] == keys
    assert len(keys) == 12
    (made_of,) = card["campaigns"]
    assert "name: small" in made_of["document"]
    assert made_of["kernel_hash"] == campaign["kernel_hash"]
    assert made_of["runs"] == 12
    shown = platform.client("read").get(f"{API}/cards/{card['id']}/picture")
    assert (shown.content, shown.headers["content-type"]) == (SVG, "image/svg+xml")
    listed = platform.client("read").get(f"{HERE}/cards").json()["items"]
    assert [(each["name"], each["has_picture"]) for each in listed] == [("Figure 3", True)]


def test_a_card_of_runs_names_these_alone(client: TestClient, campaign: Any) -> None:
    ids = [
        run["id"] for run in client.get(f"{API}/campaigns/{campaign['id']}/runs").json()["items"]
    ]
    card = kept(client, campaign, campaigns=[], runs=[ids[3], ids[1]])
    assert [run["id"] for run in card["runs"]] == [ids[3], ids[1]]
    assert [(each["id"], each["runs"]) for each in card["campaigns"]] == [(campaign["id"], 2)]


def test_a_card_outlives_its_campaign(
    platform: Platform, client: TestClient, campaign: Any
) -> None:
    card = kept(client, campaign)
    where = f"{API}/campaigns/{campaign['id']}"
    assert client.post(f"{where}/cancel").status_code == 200
    assert platform.client("admin").delete(where).status_code == 204
    assert client.get(f"{API}/cards/{card['id']}").json() == card


def test_cards_are_renamed_and_deleted(client: TestClient, campaign: Any) -> None:
    card = kept(client, campaign)
    where = f"{API}/cards/{card['id']}"
    assert client.patch(where, json={"name": "Figure 4"}).json() == {**card, "name": "Figure 4"}
    assert client.delete(where).status_code == 204
    assert client.get(where).status_code == 404


def test_everyone_with_a_link_sees_the_card_until_it_ends(
    platform: Platform, client: TestClient, campaign: Any
) -> None:
    card = kept(client, campaign)
    where = f"{API}/cards/{card['id']}"
    anyone = platform.client("nobody")
    first = client.post(f"{where}/link").json()["path"]
    assert len(first.rpartition("/")[2]) >= 43  # 256 bits in base64
    with platform.sessions() as session:
        assert first.rpartition("/")[2] not in (session.scalars(select(Card.link)).one() or "")
    assert client.get(where).json()["shared"] is True
    answer = anyone.get(first)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    page = Shown(answer.text)
    for said in ("Figure 3", "Illinois wins.", "name: small", campaign["kernel_hash"]):
        assert said in page.text
    for hidden in (TEAM, campaign["id"], card["id"], "@"):
        assert hidden not in answer.text.replace("@media", "")
    assert [each.partition(",")[0] for each in page.addresses] == ["data:image/svg+xml;base64"]
    second = client.post(f"{where}/link").json()["path"]
    assert (anyone.get(first).status_code, anyone.get(second).status_code) == (404, 200)
    assert client.delete(f"{where}/link").status_code == 204
    assert anyone.get(second).status_code == 404
    third = client.post(f"{where}/link").json()["path"]
    assert client.delete(where).status_code == 204
    assert anyone.get(third).status_code == 404


def test_text_on_a_page_is_text(platform: Platform, client: TestClient, campaign: Any) -> None:
    hostile = f'"><img src=x onerror=alert(1)>{HOSTILE}'
    card = kept(
        client,
        campaign,
        name=hostile,
        text=hostile,
        title=hostile,
        numbers={"columns": [hostile], "rows": [[hostile]]},
        picture=picture(SVG.replace(b"<rect/>", HOSTILE.encode())),
    )
    answer = platform.client("read").get(f"{API}/cards/{card['id']}/page")
    page = Shown(answer.text)
    assert "script" not in page.tags
    assert [each.partition(",")[0] for each in page.addresses] == ["data:image/svg+xml;base64"]
    assert page.text.count("onerror") == 6  # title, heading, text, caption, column and cell
    policy = answer.headers["content-security-policy"]
    assert re.match(r"default-src 'none'; style-src 'sha256-\S+'; img-src data:;", policy)
    assert policy.endswith("sandbox")


BILLION = b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"picture": picture(b"<html></html>")}, "picture.base64"),
        ({"picture": picture(BILLION)}, "picture.base64"),
        ({"picture": picture(SVG, "image/png")}, "picture.base64"),
        ({"picture": picture(SVG, "text/html")}, "picture.type"),
        ({"picture": picture(b"a" * 1_100_000)}, "picture.base64"),
        ({"view": "https://evil.example/"}, "view"),
        ({"view": "/teams/another/campaigns"}, "view"),
        ({"numbers": {"columns": ["a"], "rows": [[1, 2]]}}, "numbers.rows.0"),
        ({"campaigns": ["6f0d0000-0000-4000-8000-000000000002"]}, "campaigns.0"),
        ({"campaigns": []}, "campaigns"),
        ({"runs": [10**9]}, "runs.0"),
        ({"name": ""}, "name"),
        ({"text": "x" * 20_001}, "text"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_field(
    client: TestClient, campaign: Any, changes: dict[str, Any], path: str
) -> None:
    answer = client.post(f"{HERE}/cards", json=view(campaign, **changes))
    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json()["problems"]] == [path]


def test_a_team_keeps_only_so_many(platform: Platform, client: TestClient, campaign: Any) -> None:
    kept(client, campaign)
    with platform.sessions.begin() as session:
        one = session.scalars(select(Card)).one()
        columns = {column.key: getattr(one, column.key) for column in inspect(Card).column_attrs}
        others = [{**columns, "id": uuid.uuid4(), "link": None} for _ in range(MOST_CARDS - 1)]
        session.execute(insert(Card), others)
    assert client.post(f"{HERE}/cards", json=view(campaign)).status_code == 429
