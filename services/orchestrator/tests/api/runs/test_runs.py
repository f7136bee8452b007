"""Runs over the API: lists, details, series and files, on both back ends."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from weir import rundir
from weir_orchestrator.objects import BUNDLE, pack, running_prefix
from weir_testing.platform import Platform
from weir_testing.platform.campaigns import SPEC
from weir_testing.platform.results import Made, make_runs, store

API = "/api/v1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    return make_runs(folder)


def _items(answer: Any) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def _first(platform: Platform, campaign: Any) -> int:
    runs = platform.client("read").get(f"{API}/campaigns/{campaign}/runs", params={"limit": 1})
    return int(_items(runs)[0]["id"])


def test_pages_hold_every_run_once_in_any_order(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "queued" if p % 5 == 4 else "succeeded")
    client = platform.client("read")
    for sort in ("position", "-position", "started", "-wall_s", "mean_bitrate_bps", "-jain"):
        seen: list[dict[str, Any]] = []
        cursor = None
        while True:
            params: dict[str, str] = {"sort": sort, "limit": "5"}
            if cursor is not None:
                params["cursor"] = cursor
            page = client.get(f"{API}/campaigns/{campaign}/runs", params=params)
            seen += _items(page)
            cursor = page.json()["next"]
            if cursor is None:
                break
        assert sorted(run["position"] for run in seen) == list(range(len(made.runs))), sort
        if sort == "-wall_s":
            known = [run["wall_s"] for run in seen]
            ended = [wall_s for wall_s in known if wall_s is not None]
            assert ended == sorted(ended, reverse=True)
            assert known[len(ended) :] == [None] * (len(known) - len(ended))


def test_lists_only_the_runs_and_the_replicate_asked_for(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    client, url = platform.client("read"), f"{API}/campaigns/{campaign}/runs"
    every = _items(client.get(url))
    some = [every[1]["id"], every[3]["id"]]
    assert [run["id"] for run in _items(client.get(url, params={"run": some}))] == some
    second = _items(client.get(url, params={"replicate": 1}))
    assert [run["id"] for run in second] == [run["id"] for run in every if run["replicate"] == 1]
    assert len({run["seed"] for run in second}) == 1
    assert _items(client.get(url, params={"run": some, "replicate": 10_000})) == []


def test_sorting_by_a_metric_follows_its_values(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    params: dict[str, str | int] = {
        "sort": "-mean_bitrate_bps",
        "metric": "mean_bitrate_bps",
        "client": 2,
    }
    runs = _items(platform.client("read").get(f"{API}/campaigns/{campaign}/runs", params=params))
    shown = [run["metrics"]["mean_bitrate_bps"] for run in runs]
    assert shown == sorted(shown, reverse=True)
    for run in runs:
        metrics = platform.client("read").get(f"{API}/runs/{run['id']}/metrics").json()
        second = next(each for each in metrics["clients"] if each["rank"] == 2)
        assert second["values"]["mean_bitrate_bps"] == run["metrics"]["mean_bitrate_bps"]


def test_levels_and_states_filter(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "failed" if p == 0 else "succeeded")
    client = platform.client("read")
    url = f"{API}/campaigns/{campaign}/runs"
    chosen = _items(client.get(url, params={"level.server.congestion_control": "reno"}))
    assert len(chosen) == len(made.runs) // 2
    assert {run["levels"]["server.congestion_control"] for run in chosen} == {"reno"}
    failed = _items(client.get(url, params={"state": "failed"}))
    assert [run["position"] for run in failed] == [0]
    assert not _items(client.get(url, params={"level.server.congestion_control": "none' OR 1=1"}))
    refused = client.get(url, params={"level.server.http": "nginx"})
    assert refused.status_code == 422
    assert "server.congestion_control" in refused.json()["problems"][0]["allowed"]
    assert client.get(url, params={"sort": "wall_s; DROP TABLE run"}).status_code == 422


def test_an_unchanged_list_is_not_sent_again(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    client = platform.client("read")
    url = f"{API}/campaigns/{campaign}/runs"
    first = client.get(url)
    again = client.get(url, headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(url, headers={"If-None-Match": '"other"'}).status_code == 200


def test_others_see_nothing_of_a_run(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    run = _first(platform, campaign)
    paths = [
        f"/campaigns/{campaign}/runs",
        *(f"/runs/{run}{rest}" for rest in ("", "/metrics", "/series", "/artifacts", "/log")),
        f"/runs/{run}/artifacts.tar",
        f"/runs/{run}/artifacts/metrics.json",
    ]
    for path in paths:
        assert platform.client("outsider").get(API + path).status_code == 404, path
        assert platform.client("nobody").get(API + path).status_code == 401, path
        assert platform.token_client("read").get(API + path).status_code in {200, 307}, path


def test_a_run_tells_what_it_ran_on(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    run = platform.client("read").get(f"{API}/runs/{_first(platform, campaign)}").json()
    assert run["levels"] == made.runs[0].levels
    assert run["kernel"]["release"] == "7.3-test"
    assert run["checks"][0]["name"] == "idle_rtt_s"
    assert run["commands"][0]["line"] == "tc qdisc show"
    assert run["experiment"]["duration_s"] == 20.0
    assert [entry["state"] for entry in run["history"]] == ["queued", "running", "succeeded"]


def test_a_run_tells_once_what_concerns_both_directions(platform: Platform, tmp_path: Path) -> None:
    silent = {"at": "2s", "for": "3s", "down": "silent"}
    made = make_runs(tmp_path, experiment={**SPEC["experiment"], "events": [silent]})
    run = _first(platform, store(platform, made))
    found = platform.client("read").get(f"{API}/runs/{run}").json()
    assert len(found["experiment"]["events"]) == 2
    (told,) = found["events"]
    assert {key: value for key, value in told.items() if value is not None} == {
        "at_s": 2.0,
        "for_s": 3.0,
        "down": "silent",
    }


def test_series_are_the_records(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    run = _first(platform, campaign)
    data = rundir.load(made.folders[made.keys[0]])
    assert data.tcp is not None
    kinds = "level,cwnd,srtt,ssthresh,events"
    answer = platform.client("read").get(f"{API}/runs/{run}/series", params={"kinds": kinds})
    curves = answer.json()["curves"]
    level = next(c for c in curves if c["kind"] == "level" and c["client"] == 1)
    assert level["values"] == data.players[0]["level"].tolist()
    cwnd = next(c for c in curves if c["kind"] == "cwnd" and c["flow"] == 0)
    own = data.tcp["flow"] == 0
    assert cwnd["samples"] == int(own.sum())
    assert len(cwnd["t_s"]) <= 2000
    assert max(cwnd["values"]) == data.tcp["cwnd"][own].max()
    srtt = next(c for c in curves if c["kind"] == "srtt")
    assert set(srtt["values"]) == {0.11}
    ssthresh = next(c for c in curves if c["kind"] == "ssthresh")
    assert max(ssthresh["values"]) < 100, "before it is set, it is infinite: not a value"


def test_a_window_of_a_series_joins_what_is_beside_it(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    run = _first(platform, campaign)
    params: dict[str, Any] = {"kinds": "cwnd", "from_s": 5, "to_s": 6, "points": 20}
    answer = platform.client("read").get(f"{API}/runs/{run}/series", params=params).json()
    data = rundir.load(made.folders[made.keys[0]])
    assert data.tcp is not None
    t_s = data.tcp["t_ns"][data.tcp["flow"] == 0] / 1e9
    inside = int(((t_s >= 5) & (t_s <= 6)).sum())
    (cwnd,) = [curve for curve in answer["curves"] if curve["flow"] == 0]
    assert cwnd["samples"] == inside + 2
    assert len(cwnd["t_s"]) <= 20
    assert np.all(np.diff(cwnd["t_s"]) >= 0)
    refused = platform.client("read").get(f"{API}/runs/{run}/series", params={"kinds": "rtt"})
    assert refused.status_code == 422
    params = {"from_s": 6, "to_s": 5}
    assert platform.client("read").get(f"{API}/runs/{run}/series", params=params).status_code == 422


def test_artifacts_are_the_run_directory(platform: Platform, made: Made) -> None:
    (made.folders[made.keys[0]] / "large").write_bytes(b"x" * 200_000)
    campaign = store(platform, made)
    run = _first(platform, campaign)
    client = platform.client("read")
    folder = made.folders[made.keys[0]]
    listed = client.get(f"{API}/runs/{run}/artifacts").json()
    files = {str(p.relative_to(folder)): p for p in folder.rglob("*") if p.is_file()}
    assert {each["name"]: each["size_bytes"] for each in listed} == {
        name: path.stat().st_size for name, path in files.items()
    }
    for each in listed:
        answer = client.get(each["url"])
        content = answer.content
        if platform.backend == "served" and each["name"] == "large":
            assert answer.status_code == 307
            content = httpx2.get(answer.headers["location"], trust_env=False).content
        assert content == files[each["name"]].read_bytes()
    shown = client.get(f"{API}/runs/{run}/artifacts/metrics.json", params={"inline": True})
    assert shown.headers["content-disposition"] == "inline"
    assert shown.headers["content-type"].startswith("text/plain")
    assert "sandbox" in shown.headers["content-security-policy"]
    assert client.get(f"{API}/runs/{run}/log").text == "stand-in console\n"


def test_all_artifacts_come_as_one_tar(platform: Platform, made: Made, tmp_path: Path) -> None:
    campaign = store(platform, made)
    run = _first(platform, campaign)
    answer = platform.client("read").get(f"{API}/runs/{run}/artifacts.tar")
    assert len(answer.content) == int(answer.headers["content-length"])
    assert f"run-{run}.tar" in answer.headers["content-disposition"]
    # By the program that users unpack it with.
    subprocess.run(["tar", "-x", "-C", tmp_path], input=answer.content, check=True)
    unpacked, folder = tmp_path / f"run-{run}", made.folders[made.keys[0]]
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert {p.relative_to(unpacked) for p in unpacked.rglob("*") if p.is_file()} == set(files)
    for name in files:
        assert (unpacked / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    "name", ["%2e%2e/%2e%2e/weir.db", "players", "run.json%2f..%2flog.txt", "absent"]
)
def test_no_path_leads_out_of_a_run_directory(platform: Platform, made: Made, name: str) -> None:
    campaign = store(platform, made)
    run = _first(platform, campaign)
    answer = platform.client("read").get(f"{API}/runs/{run}/artifacts/{name}")
    assert answer.status_code == 404


def test_runs_without_a_result_say_so(platform: Platform, made: Made) -> None:
    states = {0: "failed", 1: "queued"}
    campaign = store(platform, made, state_of=lambda p: states.get(p, "succeeded"))
    client = platform.client("read")
    failed, queued = _items(client.get(f"{API}/campaigns/{campaign}/runs", params={"limit": 2}))
    assert client.get(f"{API}/runs/{failed['id']}/log").text == "why it failed\n"
    assert client.get(f"{API}/runs/{failed['id']}").json()["reason"] == "the cell gave up"
    for rest in ("/log", "/metrics", "/artifacts", "/artifacts.tar", "/series"):
        answer = client.get(f"{API}/runs/{queued['id']}{rest}")
        assert answer.status_code == 404
        assert "queued" in answer.json()["detail"]
    assert client.get(f"{API}/runs/{queued['id']}").json()["history"][0]["state"] == "queued"


def test_a_failed_run_shows_what_it_recorded_and_where_it_went_wrong(
    platform: Platform, made: Made, tmp_path: Path
) -> None:
    left = tmp_path / "failed"
    shutil.copytree(made.folders[made.keys[0]], left)
    for name in ("metrics.json", "checks.json", "commands.json", "tcp.parquet"):
        (left / name).unlink()
    trace = 'Traceback:\n  File "own.py", line 6, in choose\nValueError: no\n'
    (left / "traceback.txt").write_text(trace)
    campaign = store(platform, made, state_of=lambda p: "succeeded" if p else "failed", failed=left)
    client = platform.client("read")
    run, other = _items(client.get(f"{API}/campaigns/{campaign}/runs", params={"limit": 2}))
    told = client.get(f"{API}/runs/{run['id']}").json()
    assert (told["state"], told["traceback"], told["checks"]) == ("failed", trace, [])
    assert client.get(f"{API}/runs/{other['id']}").json()["traceback"] == ""
    answer = client.get(f"{API}/runs/{run['id']}/series", params={"kinds": "level,cwnd,queue"})
    whole = rundir.load_player(left, 1)["level"].tolist()
    levels = [one["values"] for one in answer.json()["curves"] if one["client"] == 1]
    assert levels == [whole]
    assert {curve["kind"] for curve in answer.json()["curves"]} == {"level"}


def test_a_running_run_shows_what_it_recorded_so_far(platform: Platform, made: Made) -> None:
    """Here: its record of TCP, and nothing of its players."""
    campaign = store(platform, made, state_of=lambda p: "succeeded" if p else "running")
    client = platform.client("read")
    url = f"{API}/runs/{_first(platform, campaign)}"
    kinds = {"kinds": "level,cwnd,drops,sent_rate,retransmits,events,link_rate"}

    def kinds_drawn() -> set[str]:
        curves = client.get(f"{url}/series", params=kinds).json()["curves"]
        return {curve["kind"] for curve in curves}

    assert kinds_drawn() <= {"link_rate"}
    folder, key = made.folders[made.keys[0]], made.keys[0]
    recorded = {name: folder / name for name in ("flows.json", "tcp.parquet")}
    platform.objects.put_bytes(f"{running_prefix(key)}/{BUNDLE}", pack(recorded))
    assert kinds_drawn() - {"link_rate"} == {"cwnd"}
    assert platform.client("outsider").get(f"{url}/series").status_code == 404
    for rest in ("/log", "/artifacts", "/metrics"):
        assert client.get(url + rest).status_code == 404, "not before its end"


@pytest.mark.parametrize("cursor", ["abc", ">i:abc", ">s:x~i:1", ">\x00", ">d:9"])
def test_bad_cursors_are_bad_input(platform: Platform, made: Made, cursor: str) -> None:
    campaign = store(platform, made)
    params = {"cursor": cursor, "sort": "wall_s"}
    answer = platform.client("read").get(f"{API}/campaigns/{campaign}/runs", params=params)
    # SQLite compares a text with a number: then this is the cursor of some other page.
    assert answer.status_code == 422 or (platform.backend, cursor) == ("embedded", ">s:x~i:1")
