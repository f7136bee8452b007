"""The command against a whole platform: real HTTP, a real worker, real runs."""

from __future__ import annotations

import json
import shutil
import signal
import stat
import subprocess
from pathlib import Path

import pytest
import yaml
from weir_orchestrator.objects import open_store
from weir_orchestrator.recorded import RunFiles
from weir_sdk import Client
from weir_testing import command
from weir_testing.command import weir
from weir_testing.files import HOST, contents
from weir_testing.live import Live
from weir_testing.node_players import SMALL
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel


def kept(server: Live, run: Path) -> dict[str, bytes | None]:
    """The same of a run in the server's own store; run: its path there."""
    files = RunFiles(open_store(str(server.store)), run.as_posix())
    return {name: files.content(name) for name in files.listed()}


def test_a_campaign_from_submission_to_results(
    signed_in: str, server: Live, tmp_path: Path
) -> None:
    file = command.campaign(tmp_path, {"server.congestion_control": ["cubic", "reno"]})
    done = weir("submit", file, "--watch", "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["state"], made["counts"]) == ("finished", {"succeeded": 4})

    listed = json.loads(weir("ls", "--json").stdout)
    assert made["id"] in {each["id"] for each in listed}
    told = weir("status", made["id"][:8], "--server", signed_in, "--json")
    runs = json.loads(told.stdout)["runs"]
    assert [run["state"] for run in runs] == ["succeeded"] * 4

    store = tmp_path / "store"
    assert weir("fetch", made["id"], "--store", store).returncode == 0
    assert {path.name for path in command.finished(store)} == {run["key"] for run in runs}
    for fetched in command.finished(store):
        assert contents(fetched) == kept(server, fetched.relative_to(store))
    here = json.loads(weir("report", "tiny", "--store", store, "--json").stdout)["campaigns"][0]
    there = json.loads(weir("report", made["id"], "--server", signed_in, "--json").stdout)
    assert there["groups"] == here["groups"]

    number = str(runs[0]["id"])
    assert "DONE" in weir("logs", number).stdout
    shown = json.loads(weir("show", number, "--server", signed_in, "--json").stdout)
    local = json.loads(weir("show", runs[0]["key"], "--store", store, "--json").stdout)
    assert shown | {"path": ""} == local | {"path": ""}
    judged = json.loads(
        weir("regress", "tiny", "--baseline", made["id"], "--server", signed_in, "--json").stdout
    )
    assert (judged["worse"], judged["changed"], judged["not_compared"]) == (False, 0, [])
    pairs = json.loads(weir("compare", made["id"], "tiny", "--json").stdout)["pairs"]
    assert [(pair["n"], pair["difference"]) for pair in pairs] == [(2, 0.0), (2, 0.0)]
    other = next(str(run["id"]) for run in runs if run["levels"] != runs[0]["levels"])
    differing = json.loads(weir("compare", number, other, "--json").stdout)["parameters"]
    assert [each["path"] for each in differing] == ["server.congestion_control"]


def test_fetching_goes_on_where_it_was(signed_in: str, server: Live, tmp_path: Path) -> None:
    file = command.campaign(tmp_path)
    made = json.loads(weir("submit", file, "--watch", "--json", "--seed", "7").stdout)
    store = tmp_path / "store"
    assert weir("fetch", made["id"], "--store", store).returncode == 0
    one, two = command.finished(store)
    # As if it had been cut off: one run half there, with a whole file and a part of another.
    half = store / "fetching" / one.name
    half.parent.mkdir(exist_ok=True)
    one.rename(half)
    (half / "run.json").unlink()
    (half / "metrics.json").write_bytes(b"{")
    number = (half / "tcp.parquet").stat().st_ino
    again = weir("fetch", made["id"], "--store", store, "--json")
    assert json.loads(again.stdout)["fetched"] == 1
    assert command.finished(store) == [one, two]
    assert (one / "tcp.parquet").stat().st_ino == number
    assert contents(one) == kept(server, one.relative_to(store))


PAPER = """
citation: A. Author, An Example
campaigns:
  tiny:
    factors: [server.congestion_control]
    metrics: {mean_bitrate_bps: {1: {cubic: 900000, reno: 800000}}}
"""


def test_a_player_s_folder_plays_there_as_it_does_here(signed_in: str, tmp_path: Path) -> None:
    shutil.copytree(SMALL, tmp_path / "mine")
    file = command.campaign(tmp_path, {"clients.0.player": ["./mine/"]})
    done = weir("submit", file, "--watch", "--json", "--replicates", "1")
    assert done.returncode == 0, done.stderr
    here, fetched = tmp_path / "here", tmp_path / "fetched"
    assert weir("run", file, "--store", here, "--replicates", "1").returncode == 0
    assert weir("fetch", json.loads(done.stdout)["id"], "--store", fetched).returncode == 0
    ((own,), (theirs,)) = (command.finished(store) for store in (here, fetched))
    assert contents(own, HOST) == contents(theirs, HOST)


def test_what_was_fetched_is_as_if_it_had_been_run_here(signed_in: str, tmp_path: Path) -> None:
    (tmp_path / "paper.yaml").write_text(PAPER)
    file = command.campaign(tmp_path, {"server.congestion_control": ["cubic", "reno"]})
    file.write_text(file.read_text() + "paper: paper.yaml\n")
    made = json.loads(weir("submit", file, "--watch", "--json").stdout)
    here, fetched = tmp_path / "here", tmp_path / "fetched"
    assert weir("run", file, "--store", here).returncode == 0
    assert weir("fetch", made["id"], "--store", fetched).returncode == 0
    record = Path("campaigns/tiny/campaign.json")
    assert json.loads((fetched / record).read_text()) == json.loads((here / record).read_text())
    reports = [weir("report", "tiny", "--store", store, "--json") for store in (here, fetched)]
    assert reports[0].stdout == reports[1].stdout
    cells = json.loads(reports[1].stdout)["campaigns"][0]["groups"]
    assert {cell["paper"] for cell in cells} >= {900000, 800000}
    for run in command.finished(fetched):
        done = weir("replay", run.name, "--store", fetched)
        assert (done.returncode, done.stdout.strip()) == (0, "same"), done.stderr


def test_a_card_s_runs_are_reproduced(signed_in: str, server: Live, tmp_path: Path) -> None:
    file = command.campaign(tmp_path)
    made = json.loads(weir("submit", file, "--watch", "--json", "--seed", "21").stdout)
    with Client(server.url) as client:
        view = {
            "name": "kept",
            "title": "all",
            "view": f"/teams/local/campaigns/{made['id']}/results",
            "numbers": {"columns": [], "rows": []},
            "campaigns": [made["id"]],
        }
        card = client.make_card("local", view)
    store = tmp_path / "store"
    page = f"{server.url}/teams/local/cards/{card.id}"
    done = weir("reproduce", page, "--store", store, "--at-most", "1")
    assert (done.returncode, done.stdout.strip()) == (0, f"{card.runs[0].key} same"), done.stderr
    assert "1 of 1 runs have equal bytes; 1 were not asked for" in done.stderr
    # What was fetched is compared, and not what the server says of it.
    one = store / next(path for path in command.finished(store))
    (one / "metrics.json").write_text("{}")
    done = weir("reproduce", str(card.id), "--store", store, "--json")
    assert done.returncode == 1, done.stderr
    told = {
        run["key"]: (run["same"], run["differences"]) for run in json.loads(done.stdout)["runs"]
    }
    assert told == {
        card.runs[0].key: (False, ["metrics.json"]),
        card.runs[1].key: (True, []),
    }
    refused = weir("reproduce", "no-card")
    assert (refused.returncode, "no id of a card" in refused.stderr) == (2, True)


def test_files_go_along(signed_in: str, tmp_path: Path) -> None:
    (tmp_path / "players").mkdir()
    (tmp_path / "players/lowest.py").write_text(command.LOWEST)
    (tmp_path / "study").mkdir()
    base = command.campaign(tmp_path, clients=[{"player": "players/lowest.py"}])
    file = tmp_path / "study/own.yaml"
    file.write_text(yaml.safe_dump({"name": "own-abr", "base": f"../{base.name}"}))
    done = weir("submit", file, "--watch", "--replicates", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert "1 files sent" in done.stderr
    made = json.loads(done.stdout)
    report = json.loads(weir("report", made["id"], "--server", signed_in, "--json").stdout)
    rates = [c["mean"] for c in report["groups"] if c["metric"] == "mean_bitrate_bps"]
    assert rates == [248e3]
    assert weir("fetch", made["id"], "--store", tmp_path / "store").returncode == 0
    (run,) = command.finished(tmp_path / "store")
    (tmp_path / "players/lowest.py").unlink()
    done = weir("replay", run.name, "--store", tmp_path / "store")
    assert (done.returncode, done.stdout.strip()) == (0, "same"), done.stderr


def test_ctrl_c_ends_the_watching_only(signed_in: str, tmp_path: Path) -> None:
    file = command.campaign(tmp_path, {"server.congestion_control": ["cubic", "reno", "vegas"]})
    watching = command.start("submit", file, "--watch", "--replicates", "8", "--seed", "11")
    assert watching.stderr is not None
    said = ""
    while "runs · " not in said and "/24 runs" not in said:
        line = watching.stderr.readline()
        assert line, said
        said += line
    watching.send_signal(signal.SIGINT)
    _, rest = watching.communicate(timeout=PATIENCE_S)
    assert watching.returncode == 130
    assert "goes on at" in rest
    again = next(line.split("`")[1] for line in rest.splitlines() if "`weir watch" in line)
    done = weir(*again.split()[1:], "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"] == {"succeeded": 24}


def test_bad_input_is_told_as_locally(signed_in: str, tmp_path: Path) -> None:
    file = command.campaign(tmp_path, duration="soon")
    here, there = weir("validate", file), weir("submit", file)
    assert (here.returncode, there.returncode) == (2, 2)
    assert there.stderr.strip() == here.stderr.strip()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["watch", "no-such"], 2, "no campaign of that name or id"),
        (["logs", "4000000"], 2, "no such run"),
        (["ls", "--team", "elsewhere"], 2, "no such team"),
        (["ls", "--server", "http://127.0.0.1:1"], 3, "cannot be reached"),
        (["ls", "--server", "nowhere"], 2, "--server: nowhere — allowed"),
        (["login", "ftp://x"], 2, "URL: ftp://x — allowed"),
        (["compare", "1", "tiny"], 2, "two campaigns, or two runs"),
    ],
)
def test_what_cannot_be_is_refused(signed_in: str, words: list[str], code: int, told: str) -> None:
    done = weir(*words)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr


def test_signing_out_forgets(signed_in: str, tmp_path: Path) -> None:
    kept = tmp_path / "config/weir/servers.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert weir("logout").returncode == 0
    done: subprocess.CompletedProcess[str] = weir("ls")
    assert done.returncode == 2
    assert "weir login" in done.stderr
