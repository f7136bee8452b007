"""Files under test: their versions are kept with campaigns, and change from night to night."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from weir_engine.errors import BadInput
from weir_orchestrator.cli.remote.subjects import subjects
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, upload

_ABR: Final = b"""class Steady:
    def __init__(self, ladder, options):
        pass

    def choose(self, state):
        return 1
"""
_OTHER: Final = _ABR.replace(b"return 1", b"return 0")
_OWN: Final[dict[str, Any]] = {
    "experiment": {**SPEC["experiment"], "clients": [{"player": "./abr/player.py", "count": 2}]}
}
NAME: Final = "abr/player.py"


def test_a_campaign_keeps_which_version_is_under_test(platform: Platform) -> None:
    client = platform.client("submit")
    files = {NAME: upload(client, _ABR)}
    answer = client.post(
        f"{HERE}/campaigns", json=body(_OWN, files=files, subjects={NAME: "3f2a91c"})
    )
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert made["subjects"] == {NAME: "3f2a91c"}
    assert client.get(f"/api/v1/campaigns/{made['id']}").json()["subjects"] == made["subjects"]
    # A clone is of the same version as long as its file is.
    where = f"/api/v1/campaigns/{made['id']}/clone"
    assert client.post(where, json={}).json()["subjects"] == made["subjects"]
    other = {"files": {NAME: upload(client, _OTHER)}}
    assert client.post(where, json=other).json()["subjects"] == {}
    answer = client.post(f"{HERE}/campaigns", json=body(_OWN, files=files, subjects={"x": "1"}))
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["path"], problem["allowed"]) == (422, "subjects.x", NAME)


def test_a_night_is_of_the_files_that_it_is_given(platform: Platform) -> None:
    client = platform.client("submit")
    campaign = body(_OWN, files={NAME: upload(client, _ABR)})
    given = {"name": "nightly", "cron": "30 2 * * *", "campaign": campaign}
    nightly = client.post(f"{HERE}/schedules", json=given).json()
    run = f"/api/v1/schedules/{nightly['id']}/run"
    tonight = {"files": {NAME: upload(client, _OTHER)}, "subjects": {NAME: "8c01d7e"}}
    answer = client.post(run, json=tonight)
    assert answer.status_code == 201, answer.text
    tick = answer.json()
    assert tick["subjects"] == {NAME: "8c01d7e"}
    document = client.get(f"/api/v1/campaigns/{tick['campaign']}/document").json()
    assert document["files"] == tonight["files"]
    # The schedule is as it was.
    later = client.post(run).json()
    assert later["subjects"] == {}
    document = client.get(f"/api/v1/campaigns/{later['campaign']}/document").json()
    assert document["files"] == campaign["files"]
    ticks = client.get(f"/api/v1/schedules/{nightly['id']}/ticks").json()["items"]
    assert [each["subjects"] for each in ticks] == [{}, {NAME: "8c01d7e"}]
    wrong = client.post(run, json={"files": {"player.py": tonight["files"][NAME]}})
    (problem,) = wrong.json()["problems"]
    assert (wrong.status_code, problem["path"]) == (422, "files.player.py")
    assert problem["allowed"] == NAME


def test_a_subject_s_name_is_that_of_a_file_of_the_campaign(tmp_path: Path) -> None:
    (tmp_path / "abr.py").write_bytes(_ABR)
    path = tmp_path / "abr.py"
    (found,) = subjects([f"player={path}@3f2a91c"], {NAME, "trace.csv"})
    assert (found.name, found.content, found.version) == (NAME, _ABR, "3f2a91c")
    for wrong, told in (
        (f"player={path}", "allowed: NAME=PATH@VERSION"),
        (f"player={path}@", "allowed: NAME=PATH@VERSION"),
        ("=x@1", "allowed: NAME=PATH@VERSION"),
        (f"trace={path}@1", f"the name of one of its files ({NAME})"),
        (f"player={tmp_path / 'none.py'}@1", "No such file"),
    ):
        with pytest.raises(BadInput) as refused:
            subjects([wrong], {NAME})
        assert told in str(refused.value)
