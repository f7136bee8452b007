"""A baseline is chosen by what a night ran: a commit, a release, a name that was given."""

from __future__ import annotations

import uuid
from typing import Any, Final

import pytest
from weir_orchestrator.db import Campaign
from weir_orchestrator.errors import Unprocessable
from weir_orchestrator.schedules.versions import Ran, of_version
from weir_testing.git_server import GitServer
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import SPEC, body
from weir_testing.platform.nights import judged, night, schedule
from weir_testing.platform.results import Made

NAME: Final = "player.py"
CONTROL: Final = "control.c"
_ABR: Final = (
    "class Abr:\n    def __init__(self, ladder, options):\n        pass\n"
    "    def choose(self, state):\n        return {}\n"
)


@pytest.fixture
def platform(open_platform: Platform) -> Platform:
    """It may go to servers on this machine."""
    return open_platform


def ran(platform: Platform, of: Any, made: Made, **versions: str) -> uuid.UUID:
    """A finished night of these versions."""
    names = {"player": NAME, "control": CONTROL}
    subjects = {names[name]: version for name, version in versions.items()}
    return night(platform, of, made, subjects=subjects)


def choose(platform: Platform, of: Any, version: str, subject: str | None = None) -> Any:
    """The answer."""
    given = {"version": version, "subject": subject}
    where = f"/api/v1/schedules/{of['id']}"
    return platform.client("submit").patch(where, json={"baseline": given})


def chosen(platform: Platform, of: Any, version: str, subject: str | None = None) -> uuid.UUID:
    answer = choose(platform, of, version, subject)
    assert answer.status_code == 200, answer.text
    return uuid.UUID(answer.json()["baseline"])


def refused(platform: Platform, of: Any, version: str, subject: str | None = None) -> Any:
    """The one problem."""
    answer = choose(platform, of, version, subject)
    assert answer.status_code == 422, answer.text
    (problem,) = answer.json()["problems"]
    return problem


def test_the_newest_night_of_a_commit_is_the_baseline(platform: Platform, before: Made) -> None:
    nightly = schedule(platform, "last-good")
    first, second = "3f2a91c" + "0" * 33, "8c71cd4" + "1" * 33
    ran(platform, nightly, before, player=first)
    again = ran(platform, nightly, before, player=first)
    ran(platform, nightly, before, player=second)
    ended = ran(platform, nightly, before, player=first)
    with platform.sessions.begin() as session:
        session.get_one(Campaign, ended).counts = {"failed": 24}
    for version in (first, first[:7], first[:7].upper()):
        assert chosen(platform, nightly, version) == again
    ran(platform, nightly, before, player=second)
    assert judged(platform, nightly)[0]["baseline"] == str(again)


def test_a_version_that_no_night_ran_is_refused_with_those_that_did(
    platform: Platform, before: Made
) -> None:
    nightly = schedule(platform, "last-good")
    assert "none has a version" in refused(platform, nightly, "v2.1")["allowed"]
    ran(platform, nightly, before, player="3f2a91c" + "0" * 33)
    ran(platform, nightly, before, player="3f2a91c" + "1" * 33)
    ran(platform, nightly, before, player="release 2")
    assert chosen(platform, nightly, "release 2")
    problem = refused(platform, nightly, "v2.1")
    assert (problem["path"], problem["value"]) == ("baseline.version", "v2.1")
    assert "release 2, 3f2a91c11111, 3f2a91c00000" in problem["allowed"]
    told = f"weir submit --schedule {nightly['name']} --subject player.py=PATH@v2.1"
    assert told in problem["remedy"]
    problem = refused(platform, nightly, "3f2a91c")
    assert f"more digits: 3f2a91c{'0' * 33}, 3f2a91c{'1' * 33}" in problem["allowed"]
    problem = refused(platform, nightly, "release 2", "other.py")
    assert (problem["path"], problem["value"]) == ("baseline.subject", "other.py")
    assert "player.py" in problem["allowed"]
    client = platform.client("submit")
    for wrong in ({"version": ""}, {"version": 7}, {"subject": NAME}, {"version": "1", "of": 2}):
        answer = client.patch(f"/api/v1/schedules/{nightly['id']}", json={"baseline": wrong})
        assert answer.status_code == 422, answer.text
    unchanged = client.get(f"/api/v1/schedules/{nightly['id']}").json()["baseline"]
    assert uuid.UUID(unchanged) == chosen(platform, nightly, "release 2")


def test_a_version_of_two_files_in_two_nights_wants_the_file(
    platform: Platform, before: Made
) -> None:
    nightly = schedule(platform, "last-good")
    one = ran(platform, nightly, before, player="v1", control="v1")
    assert chosen(platform, nightly, "v1") == one
    two = ran(platform, nightly, before, player="v2", control="v1")
    problem = refused(platform, nightly, "v1")
    assert (problem["path"], problem["allowed"]) == (
        "baseline.subject",
        "one of control.c, player.py: nights of each ran v1",
    )
    assert chosen(platform, nightly, "v1", NAME) == one
    assert chosen(platform, nightly, "v1", CONTROL) == two


@pytest.mark.parametrize("annotated", [False, True])
def test_a_release_is_the_night_of_its_tag(
    platform: Platform, server: GitServer, before: Made, annotated: bool
) -> None:
    commits = [server.commit({"abr.py": _ABR}) for _ in range(3)]
    options = ["--annotate", "--message", "two"] if annotated else []
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    server.git(*identity, "tag", *options, "v2.1", commits[1])
    server.git("tag", "v2", commits[0])
    server.git("push", "--quiet", "--tags", "origin")
    subject = {"name": NAME, "repository": server.url, "branch": "main", "path": "abr.py"}
    own = {**SPEC["experiment"], "clients": [{"player": f"./{NAME}", "count": 2}]}
    given = {"campaign": body({"experiment": own}), "subjects": [subject]}
    nightly = schedule(platform, "last-good", **given)
    tagged = ran(platform, nightly, before, player=commits[1])
    ran(platform, nightly, before, player=commits[2])
    assert chosen(platform, nightly, "v2.1") == tagged
    problem = refused(platform, nightly, "v2")
    assert f"the tag is of {commits[0][:12]}" in problem["allowed"]
    # No pattern is a tag, and a name that a night was given goes before one.
    assert problem_of(platform, nightly, "v*") == "baseline.version"
    server.git("tag", "v3", commits[0])
    server.git("push", "--quiet", "--tags", "origin")
    named = ran(platform, nightly, before, player="v3")
    assert chosen(platform, nightly, "v3") == named
    # What the repository says is told by the field that it is about.
    server.token = "glpat-that_nobody_has"
    assert problem_of(platform, nightly, "v4") == f"subjects.{NAME}.secret_token"


def problem_of(platform: Platform, of: Any, version: str) -> str:
    return str(refused(platform, of, version)["path"])


def test_a_commit_is_told_from_names() -> None:
    night_id = uuid.uuid4()
    nights = [Ran(night_id, NAME, "beefcafe"), Ran(uuid.uuid4(), NAME, "v2.1")]
    assert of_version(nights, "beefcafe" + "0" * 32) == night_id
    # Less than git's own abbreviation, or no hexadecimal number, begins no commit.
    for version in ("beefca", "v2", "v2.1.0"):
        assert of_version(nights, version) is None
    with pytest.raises(Unprocessable, match="problem"):
        of_version([*nights, Ran(uuid.uuid4(), NAME, "beefcaf1")], "beefcaf")
