"""Files that campaigns refer to: uploaded by hash, confined, part of the run key."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import select, update
from weir.metrics import CATALOG
from weir_lab import kernel as lab_kernel
from weir_orchestrator.db import Combination, Run, Team, UploadedFile
from weir_testing.platform import OTHER_TEAM, TEAM, Platform
from weir_testing.platform.campaigns import HERE, SPEC, body, expand_all, submit, upload
from weir_testing.platform.fixtures import SERVED

ABR = b"""class Steady:
    def __init__(self, ladder, options):
        pass

    def choose(self, state):
        return 1
"""
OWN_ABR = {"factors": {"clients.0.player": ["./abr/steady.py:Steady"]}}
TRACED = {"factors": {"gateway.downlink.rate": [{"trace": "lte.up", "format": "mahimahi"}]}}
CC = b'static struct tcp_congestion_ops steady = { .name = "steady", };\n'


def _player_spec(changes: dict[str, Any]) -> dict[str, Any]:
    experiment = {**SPEC["experiment"], "clients": [{"count": 2}]}
    return {"experiment": experiment, **changes}


def test_a_file_is_kept_under_the_hash_of_its_bytes_only(platform: Platform) -> None:
    client = platform.client("submit")
    sha256 = hashlib.sha256(ABR).hexdigest()
    first = client.put(f"{HERE}/files/{sha256}", content=ABR)
    again = client.put(f"{HERE}/files/{sha256}", content=ABR)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert (first.json()["sha256"], first.json()["size_bytes"]) == (sha256, len(ABR))
    wrong = client.put(f"{HERE}/files/{sha256}", content=ABR + b" ")
    assert wrong.status_code == 422
    listed = client.get(f"{HERE}/files").json()["items"]
    assert [file["sha256"] for file in listed] == [sha256]
    assert platform.objects.get_bytes(f"files/{platform.team_id}/{sha256}") == ABR
    assert platform.client("read").put(f"{HERE}/files/{sha256}", content=ABR).status_code == 403


def test_an_own_abr_is_part_of_the_run_key(platform: Platform) -> None:
    client = platform.client("submit")
    changes = _player_spec(OWN_ABR)
    keys = []
    for content in (ABR, ABR.replace(b"return 1", b"return 0")):
        made = submit(client, changes, files={"abr/steady.py": upload(client, content)})
        expand_all(platform)
        with platform.sessions() as session:
            query = select(Run.key).where(Run.position == 0)
            keys.append(session.scalars(query.order_by(Run.id.desc())).first())
            sources = [
                source["text"]
                for each in session.scalars(select(Combination.experiment))
                if (source := each["clients"][0]["source"])
            ]
        assert content.decode() in sources
        assert made["state"] == "expanding"
    assert keys[0] != keys[1]


def test_an_own_player_s_folder_is_sent_file_by_file(platform: Platform) -> None:
    client = platform.client("submit")
    changes = _player_spec({"factors": {"clients.0.player": ["./mine/"]}})
    texts = {
        "mine/package.json": b'{"main": "main.cjs", "dependencies": {"@mine/abr": "1.0.0"}}',
        "mine/package-lock.json": b"{}",
        "mine/main.cjs": b"require('@mine/abr');",
        "mine/node_modules/@mine/abr/index.js": b"",
    }
    files = {name: upload(client, text) for name, text in texts.items()}
    submit(client, changes, files=files)
    expand_all(platform)
    with platform.sessions() as session:
        (experiment,) = session.scalars(select(Combination.experiment))
    package = experiment["clients"][0]["package"]
    assert {f"mine/{name}": text.encode() for name, text in package["files"].items()} == texts
    del files["mine/package-lock.json"]
    answer = client.post(f"{HERE}/campaigns", json=body(changes, files=files))
    assert answer.status_code == 422
    assert "no lock file beside @mine/abr" in answer.json()["problems"][0]["value"]


def test_files_of_other_teams_are_not_found(platform: Platform) -> None:
    outsider = platform.client("outsider")
    sha256 = hashlib.sha256(ABR).hexdigest()
    assert outsider.put(f"/api/v1/teams/{OTHER_TEAM}/files/{sha256}", content=ABR).is_success
    answer = platform.client("submit").post(
        f"{HERE}/campaigns", json=body(_player_spec(OWN_ABR), files={"abr/steady.py": sha256})
    )
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["path"] == "files.abr/steady.py"


@pytest.mark.parametrize(
    "name",
    ["../x", "/etc/passwd", "a/../../x", "a//b", "campaign.yaml", ".hidden", "a\\b", "x\0", "",
     "a/b/c/d/e/f/g/h/i", "~root/x", "C:x", "n" * 200],
)  # fmt: skip
def test_names_with_path_tricks_are_refused(platform: Platform, name: str) -> None:
    client = platform.client("submit")
    answer = client.post(f"{HERE}/campaigns", json=body(files={name: upload(client, ABR)}))
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["remedy"]


def test_a_file_cannot_stand_where_another_has_a_folder(platform: Platform) -> None:
    client = platform.client("submit")
    sha256 = upload(client, ABR)
    answer = client.post(f"{HERE}/campaigns", json=body(files={"a": sha256, "a/b": sha256}))
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "changes",
    [
        {"base": "/etc/hostname"},
        {"base": "../../etc/hostname"},
        {"paper": "/etc/hostname"},
        {"factors": {"gateway.downlink.rate": [{"trace": "/etc/hostname", "format": "mahimahi"}]}},
        {"factors": {"content.sizes": ["../../../../etc/hostname"]}},
        {"factors": {"clients.0.player": ["/etc/abr.py:Abr"]}},
    ],
)
def test_documents_cannot_name_files_of_the_server(
    platform: Platform, changes: dict[str, Any]
) -> None:
    answer = platform.client("submit").post(f"{HERE}/campaigns", json=body(changes))
    assert answer.status_code == 422
    assert "of the campaign" in answer.text or "no such file" in answer.text


def test_archives_are_not_unpacked(platform: Platform) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lte.up", "0\n" * 20_000_000)
    client = platform.client("submit")
    sha256 = upload(client, packed.getvalue())
    answer = client.post(f"{HERE}/campaigns", json=body(TRACED, files={"lte.up": sha256}))
    assert answer.status_code == 422
    assert "UTF-8" in answer.json()["problems"][0]["remedy"]


def test_a_manifest_that_grows_when_read_is_refused(platform: Platform) -> None:
    entities = "".join(
        f'<!ENTITY e{n} "{"".join([f"&e{n - 1};"] * 10)}">' if n else '<!ENTITY e0 "aaaaaaaaaa">'
        for n in range(10)
    )
    bomb = f"<?xml version='1.0'?><!DOCTYPE MPD [{entities}]><MPD>&e9;</MPD>".encode()
    client = platform.client("submit")
    changes = {"factors": {"content.sizes": [{"dash": "film.mpd"}]}}
    answer = client.post(
        f"{HERE}/campaigns", json=body(changes, files={"film.mpd": upload(client, bomb)})
    )
    assert answer.status_code == 422


def test_the_quota_of_stored_bytes_counts_uploads(platform: Platform) -> None:
    with platform.sessions.begin() as session:
        session.execute(update(Team).values(max_stored_bytes=len(ABR)))
    client = platform.client("submit")
    upload(client, ABR)
    more = client.put(f"{HERE}/files/{hashlib.sha256(b'x').hexdigest()}", content=b"x")
    assert more.status_code == 429


def test_congestion_controls_are_accepted_where_the_operator_says_so(
    platform_with: Callable[..., Platform],
) -> None:
    refusing = platform_with()
    client = refusing.client("submit")
    changes = {"factors": {"server.congestion_control": ["cubic", "steady"]}}
    asked = body(changes, files={"steady.c": upload(client, CC)})
    answer = client.post(f"{HERE}/campaigns", json=asked)
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["path"] == "files.steady.c"

    platform = platform_with(kernel_code=True)
    client = platform.client("submit")
    plain = submit(client)
    made = client.post(f"{HERE}/campaigns", json=asked).json()
    other = body(changes, files={"steady.c": upload(client, CC + b"\n")})
    changed = client.post(f"{HERE}/campaigns", json=other).json()
    assert len({each["kernel_hash"] for each in (plain, made, changed)}) == 3
    expand_all(platform)
    shown = client.get(f"/api/v1/campaigns/{made['id']}").json()
    assert (shown["state"], shown["problems"]) == ("active", [])
    for name in ("fixed_window.c", "rwtm.c", "own/steady.c", "Steady.c"):
        wrong = body(changes, files={name: upload(client, CC)})
        assert client.post(f"{HERE}/campaigns", json=wrong).status_code == 422


def test_congestion_controls_are_accepted_of_the_teams_that_the_operator_names(
    platform_with: Callable[..., Platform],
) -> None:
    platform = platform_with(kernel_code=f"{TEAM}, another-one")
    client = platform.client("submit")
    changes = {"factors": {"server.congestion_control": ["cubic", "steady"]}}
    asked = body(changes, files={"steady.c": upload(client, CC)})
    made = client.post(f"{HERE}/campaigns", json=asked).json()
    expand_all(platform)
    assert client.get(f"/api/v1/campaigns/{made['id']}").json()["state"] == "active"
    outsider = platform.client("outsider")
    there = f"/api/v1/teams/{OTHER_TEAM}"
    digest = asked["files"]["steady.c"]
    assert outsider.put(f"{there}/files/{digest}", content=CC).is_success
    answer = outsider.post(f"{there}/campaigns", json=asked)
    assert answer.status_code == 422
    assert "WEIR_KERNEL_CODE" in answer.json()["problems"][0]["remedy"]


def test_an_image_compiles_no_congestion_control_and_says_so(
    platform_with: Callable[..., Platform], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = lab_kernel.find()
    assert built is not None
    monkeypatch.setenv("WEIR_LAB_KERNEL", str(built.path.parent))
    monkeypatch.setenv("WEIR_CACHE", str(tmp_path))
    client = platform_with(kernel_code=True).client("submit")
    changes = {"factors": {"server.congestion_control": ["cubic", "steady"]}}
    asked = body(changes, files={"steady.c": upload(client, CC)})
    answer = client.post(f"{HERE}/campaigns", json=asked)
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert problem["path"] == "files.steady.c"
    assert "weir-builder" in problem["remedy"]


def test_a_lost_file_refuses_the_campaign_and_keeps_the_others_going(platform: Platform) -> None:
    client = platform.client("submit")
    sha256 = upload(client, ABR)
    made = submit(client, _player_spec(OWN_ABR), files={"abr/steady.py": sha256})
    platform.objects.delete(f"files/{platform.team_id}/{sha256}")
    other = submit(client)
    expand_all(platform)
    shown = [client.get(f"/api/v1/campaigns/{each['id']}").json() for each in (made, other)]
    assert [each["state"] for each in shown] == ["refused", "active"]
    assert shown[0]["problems"][0]["path"] == "files"


# What ships is the same on either.
@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_shipped_campaigns_stand_alone_and_can_be_submitted(platform: Platform) -> None:
    client = platform.client("submit")
    shipped = {each["path"]: each for each in client.get("/api/v1/library/campaigns").json()}
    assert {"quickstart.yaml", "ben-ameur-2016/scenario-1.yaml"} <= shipped.keys()
    assert next(iter(shipped)) == "quickstart.yaml"
    assert not any("base.yaml" in path or "paper.yaml" in path for path in shipped)
    for each in shipped.values():
        assert "base" not in yaml.safe_load(each["document"])
        asked = {"document": each["document"], "files": each["files"]}
        found = client.post(f"{HERE}/campaigns/validate", json=asked).json()
        assert found["problems"] == []
        assert (found["runs"], found["name"]) == (each["runs"], each["name"])
    paper = shipped["ben-ameur-2016/scenario-1.yaml"]
    asked = {"document": paper["document"], "files": paper["files"], "replicates": 1}
    submitted = client.post(f"{HERE}/campaigns", json=asked)
    assert (submitted.status_code, submitted.json()["has_paper"]) == (201, True)
    with platform.sessions() as session:
        kept = set(session.scalars(select(UploadedFile.sha256)))
    assert kept == set(paper["files"].values())


def test_the_library_names_what_campaigns_may_use(platform: Platform) -> None:
    client = platform.client("read")
    choices = client.get("/api/v1/library/choices").json()
    players = {player["name"]: player for player in choices["players"]}
    assert "bola" in players
    assert {"startup_s", "resume_s"} <= {option["name"] for option in players["bola"]["options"]}
    assert players["bola"]["settings"] == []
    dashjs = {setting["name"]: setting for setting in players["dashjs"]["settings"]}
    safety = dashjs["streaming.abr.throughput.bandwidthSafetyFactor"]
    assert (safety["default"], safety["versions"]) == (0.9, ["5.2.0", "5.2.1"])
    assert (safety["types"], dashjs["streaming.cmcd.sid"]["types"]) == (
        ["number"], ["null", "string"]
    )  # fmt: skip
    assert dashjs["streaming.seekDurationBackoff"]["versions"] == ["5.2.1"]
    # What takes code cannot be offered, and of what takes keys and values the keys are.
    hlsjs = {setting["name"] for setting in players["hlsjs"]["settings"]}
    assert "cmcd.sessionId" in hlsjs and not {"xhrSetup", "cmcd"} & hlsjs
    # A browser plays by dash.js's script.
    assert players["chromium"]["settings"] == players["dashjs"]["settings"]
    assert {"cubic", "bbr"} <= set(choices["congestion_controls"])
    assert any(metric["unit"] for metric in choices["metrics"])
    formulas = {metric["name"]: metric["formula"] for metric in choices["metrics"]}
    assert formulas["stall_count"] == CATALOG["stall_count"].formula
    schema = client.get("/api/v1/library/schema")
    assert schema.json()["required"] == ["name"]
    seen = {"If-None-Match": schema.headers["etag"]}
    assert client.get("/api/v1/library/schema", headers=seen).status_code == 304
    assert platform.client("nobody").get("/api/v1/library/choices").status_code == 401
