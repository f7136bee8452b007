"""A schedule's subjects: each night is of its branch's newest commit."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any, Final

import pytest
import yaml
from weir_lab import confine
from weir_orchestrator import schedules
from weir_orchestrator.db import Campaign, Schedule, utc_now
from weir_testing.git_server import GitServer
from weir_testing.kernel_patches import KEEP_WINDOW, MISPLACED
from weir_testing.kernel_source import NEEDS_KERNEL_SOURCE
from weir_testing.platform import TEAM, Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, upload
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.turns import at_once

NAME: Final = "player.py"
TOKEN: Final = "glpat-a_token_that_nobody_may_read"
_ABR: Final = (
    "class Abr:\n    def __init__(self, ladder, options):\n        pass\n"
    "    def choose(self, state):\n        return {}\n"
)
_OWN: Final[dict[str, Any]] = {
    "experiment": {**SPEC["experiment"], "clients": [{"player": f"./{NAME}", "count": 2}]}
}


_PATCHED: Final = {"factors": {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}}}
_CC: Final = 'static struct tcp_congestion_ops steady = { .name = "steady", };\n'

# Of a commit a campaign is submitted as ever, which submission's tests hold against both.
pytestmark = pytest.mark.parametrize("platform_settings", SERVED, indirect=True)


@pytest.fixture
def platform(open_platform: Platform) -> Platform:
    """It may go to servers on this machine."""
    return open_platform


def subject(server: GitServer, **changes: str) -> dict[str, str]:
    where = {"repository": server.url, "branch": "main", "path": "abr.py"}
    return {"name": NAME, **where, "secret_token": TOKEN, **changes}


def carry_out(platform: Platform) -> int:
    parts = platform.sessions, platform.objects, platform.settings
    return at_once(lambda take: schedules.tick(*parts, utc_now(), take))


def make(platform: Platform, **fields: Any) -> Any:
    given = {"name": "nightly", "cron": "30 2 * * *", "campaign": body(_OWN), **fields}
    return platform.client("submit").post(f"{HERE}/schedules", json=given)


def test_each_night_is_of_the_newest_commit(platform: Platform, server: GitServer) -> None:
    server.commit({"abr.py": _ABR.format(0)})
    answer = make(platform, subjects=[subject(server)])
    assert answer.status_code == 201, answer.text
    nightly = answer.json()
    shown = {**subject(server), "secret": "token"}
    del shown["secret_token"]
    assert nightly["subjects"] == [shown]
    assert TOKEN not in answer.text
    client = platform.client("submit")
    second = server.commit({"abr.py": _ABR.format(1)})
    tick = client.post(f"/api/v1/schedules/{nightly['id']}/run").json()
    assert tick["subjects"] == {NAME: second}
    third = server.commit({"abr.py": _ABR.format(2)})
    with platform.sessions.begin() as session:
        schedule = session.query(Schedule).one()
        schedule.overlap, schedule.next_at = "parallel", utc_now()
    assert carry_out(platform) == 1
    ticks = client.get(f"/api/v1/schedules/{nightly['id']}/ticks").json()["items"]
    assert [each["subjects"] for each in ticks] == [{NAME: third}, {NAME: second}]


def test_a_night_whose_branch_is_gone_says_so(platform: Platform, server: GitServer) -> None:
    server.commit({"abr.py": _ABR.format(0)})
    nightly = make(platform, subjects=[subject(server)]).json()
    server.git("push", "--quiet", "origin", "main:other")
    bare = server.folder / "served" / "player.git"
    server.git("symbolic-ref", "HEAD", "refs/heads/other", cwd=bare)
    server.git("push", "--quiet", "--delete", "origin", "main")
    with platform.sessions.begin() as session:
        session.query(Schedule).one().next_at = utc_now()
    assert carry_out(platform) == 1
    client = platform.client("submit")
    (tick,) = client.get(f"/api/v1/schedules/{nightly['id']}/ticks").json()["items"]
    assert (tick["outcome"], tick["campaign"]) == ("failed", None)
    assert "subjects.player.py.branch: main" in tick["detail"]
    assert "it is gone" in tick["detail"]


def test_a_subject_is_checked_and_its_secret_kept_when_it_is_changed(
    platform: Platform, server: GitServer
) -> None:
    server.commit({"abr.py": _ABR.format(0), "new.py": _ABR.format(1)})
    server.token = TOKEN
    for wrong in ({"branch": "gone"}, {"secret_token": "wrong"}, {"path": "none.py"}):
        answer = make(platform, subjects=[subject(server, **wrong)])
        (problem,) = answer.json()["problems"]
        (field,) = wrong
        assert (answer.status_code, problem["path"]) == (422, f"subjects.{NAME}.{field}")
        assert TOKEN not in answer.text
    without = {name: value for name, value in subject(server).items() if name != "branch"}
    for malformed in ({**subject(server), "branch": 7}, without, {**subject(server), "more": 1}):
        answer = make(platform, subjects=[malformed])
        assert (answer.status_code, TOKEN in answer.text) == (422, False)
    nightly = make(platform, subjects=[subject(server)]).json()
    where = f"/api/v1/schedules/{nightly['id']}"
    client = platform.client("submit")
    moved = subject(server, path="new.py")
    del moved["secret_token"]
    answer = client.patch(where, json={"subjects": [moved]})
    assert answer.status_code == 200, answer.text
    assert [each["secret"] for each in answer.json()["subjects"]] == ["token"]
    # To another repository it is not taken along.
    elsewhere = {**moved, "repository": server.url.replace("player", "other")}
    assert client.patch(where, json={"subjects": [elsewhere]}).status_code == 422
    assert client.patch(where, json={"subjects": []}).json()["subjects"] == []


@pytest.mark.kernel
@NEEDS_KERNEL_SOURCE
@pytest.mark.parametrize(
    ("name", "changes", "one", "other"),
    [
        ("fix.patch", _PATCHED, KEEP_WINDOW, f"{KEEP_WINDOW}-- \n2.49\n"),
        ("steady.c", {}, _CC, f"{_CC}/* anew */\n"),
    ],
)
def test_what_makes_a_kernel_may_be_under_test(
    platform_with: Callable[..., Platform],
    server: GitServer,
    name: str,
    changes: dict[str, Any],
    one: str,
    other: str,
) -> None:
    platform = platform_with(kernel_code=TEAM, webhooks_to_private=True)
    client = platform.client("submit")
    first = server.commit({f"net/{name}": one})
    files = {name: upload(client, one.encode())}
    own = {**subject(server, path=f"net/{name}"), "name": name}
    answer = make(platform, campaign=body(changes, files=files), subjects=[own])
    assert answer.status_code == 201, answer.text
    run = f"/api/v1/schedules/{answer.json()['id']}/run"

    def night(**given: Any) -> tuple[dict[str, str], str]:
        """What was under test, and the kernel that it makes."""
        tick = client.post(run, json=given).json()
        made = client.get(f"/api/v1/campaigns/{tick['campaign']}").json()
        return tick["subjects"], made["kernel_hash"]

    versions, before = night()
    assert versions == {name: first}
    second = server.commit({f"net/{name}": other})
    versions, after = night()
    assert (versions, after != before) == ({name: second}, True)
    assert night(files=files, subjects={name: "v1"}) == ({name: "v1"}, before)
    uploaded = {name: upload(client, other.encode())}
    assert night(files=uploaded, subjects={name: "v2"}) == ({name: "v2"}, after)
    if changes and not confine.lacking():
        server.commit({f"net/{name}": MISPLACED})
        answer = client.post(run)
        assert (answer.status_code, "hunk 1 does not apply" in answer.text) == (422, True)


def test_the_campaign_itself_may_be_under_test(platform: Platform, server: GitServer) -> None:
    def committed(**changes: Any) -> str:
        experiment = {**_OWN["experiment"], **changes}
        document = body({"experiment": experiment})["document"]
        return server.commit({"nightly.yaml": document, "abr.py": _ABR})

    first = committed()
    own = {**subject(server, path="nightly.yaml"), "name": "campaign.yaml"}
    answer = make(platform, subjects=[own, subject(server)])
    assert answer.status_code == 201, answer.text
    nightly = answer.json()
    client = platform.client("submit")
    where = f"/api/v1/schedules/{nightly['id']}"
    second = committed(duration="14s")
    tick = client.post(f"{where}/run").json()
    assert tick["subjects"] == {"campaign.yaml": second, NAME: second}
    with platform.sessions() as session:
        document = session.get_one(Campaign, uuid.UUID(tick["campaign"])).document
    assert yaml.safe_load(document)["experiment"]["duration"] == "14s"
    changed = {"document": f"{document}# mine\n"}
    clone = client.post(f"/api/v1/campaigns/{tick['campaign']}/clone", json=changed).json()
    assert clone["subjects"] == {NAME: second}
    for content, said in (("name: [", "line 1"), ("\0", "a file of text in UTF-8")):
        server.commit({"nightly.yaml": content})
        answer = client.post(f"{where}/run")
        assert (answer.status_code, said in answer.text) == (422, True), answer.text
    assert first != second
