"""The command: exit codes, messages for people, and a campaign from start to end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyarrow import csv, parquet
from weir_engine import task
from weir_engine.store import Store
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.cli import main
from weir_testing.stand_in.cell import run_cell

Campaign = Callable[..., Path]


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch, kernel: Kernel) -> None:
    """Runs go to the stand-in cell instead of a lab kernel."""
    monkeypatch.setattr(lab_kernel, "find", lambda: kernel)
    init = task.Environment.__init__

    def with_stand_in(self: task.Environment, *given: Any, **named: Any) -> None:
        init(self, *given, **{**named, "run_cell": run_cell})

    monkeypatch.setattr(task.Environment, "__init__", with_stand_in)


def _weir(*arguments: str | Path) -> int:
    return main([str(argument) for argument in arguments])


def _experiment(behave: str) -> dict[str, Any]:
    base: dict[str, Any] = yaml.safe_load(
        "{duration: 20s, content: {ladder: [1Mbit/s, 2Mbit/s], segment: 2s},"
        " gateway: {downlink: {rate: 8Mbit/s}, path: {rtt: {mean: 100ms}}}}"
    )
    client = {"player": "fixed", "options": {"level": 1}}
    return {**base, "server": {"sysctls": {"net.behave": behave}}, "clients": [client]}


@pytest.mark.usefixtures("stand_in")
def test_run_resumes_reports_shows_replays_and_exports(
    campaign_file: Campaign,
    store_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, store = campaign_file(), ["--store", str(store_path)]
    assert _weir("run", file, *store, "--replicates", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"succeeded": 8}
    assert _weir("run", file, *store, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["counts"], said["done_now"]) == ({"succeeded": 12}, 4)

    assert _weir("status", "small", *store, "--json") == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert len({run["key"] for run in runs}) == len(runs) == 12

    html = tmp_path / "report.html"
    assert _weir("report", file, *store, "--html", html) == 0
    page = html.read_text()
    assert "shaping method none, congestion control cubic" in page
    assert "instability_percent</code>: 100 * sum_(j=1..K)" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page
    assert "3/3" in capsys.readouterr().out

    key = runs[0]["key"]
    assert _weir("show", key[:10], *store) == 0
    assert "tc qdisc show" in capsys.readouterr().out
    assert _weir("replay", key, *store) == 0
    capsys.readouterr()
    assert _weir("diff", key, key, *store) == 0
    assert capsys.readouterr().out.startswith("same")
    assert _weir("diff", key, runs[-1]["key"], *store, "--json") == 1
    parted = json.loads(capsys.readouterr().out)["partings"]
    assert parted == sorted(parted, key=lambda each: each["t_s"])
    assert _weir("diff", key, runs[-1]["key"], *store) == 1
    assert f"they part at {parted[0]['t_s']:.6f} s" in capsys.readouterr().out

    table = tmp_path / "out.csv"
    assert _weir("export", "small", *store, "--out", table) == 0
    read = csv.read_csv(table)
    assert read.num_rows == 12 * 2
    assert {"server.congestion_control", "client", "instability_percent"} <= set(read.column_names)
    parquet_file = tmp_path / "out.parquet"
    assert _weir("export", "small", *store, "--format", "parquet", "--out", parquet_file) == 0
    assert parquet.read_table(parquet_file).num_rows == 24


@pytest.mark.usefixtures("stand_in")
def test_a_report_over_two_campaigns_judges_their_paper(
    campaign_file: Campaign,
    store_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    compared = {
        "metric": "mean_bitrate_bps",
        "expect": "little effect",
        "across": ["cc"],
        "each": ["campaign"],
        "by": "200%",
    }
    paper = {
        "citation": "A paper",
        "axes": {
            "cc": {"factor": "server.congestion_control", "levels": ["cubic", "reno"]},
            "campaign": {"levels": ["small", "other"]},
        },
        "findings": [{"statement": "It matters little.", "comparisons": [compared]}],
        "figures": [{"title": "Bitrate", "metrics": ["mean_bitrate_bps"], "x": "cc"}],
    }
    (tmp_path / "paper.yaml").write_text(yaml.safe_dump(paper, sort_keys=False))
    store = ["--store", str(store_path)]
    for name in ("small", "other"):
        file = campaign_file(name=name, paper="paper.yaml")
        assert _weir("run", file, *store) == 0
    capsys.readouterr()

    # "other" by its file, "small" by its record: one and the same paper.
    assert _weir("report", "small", file, *store, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert [one["campaign"] for one in said["campaigns"]] == ["small", "other"]
    (finding,) = said["findings"]
    assert finding["verdict"] == "supported"
    # Runs that both campaigns contain count for the first.
    assert [c["verdict"] for c in finding["comparisons"]] == ["supported", "not measured"]

    assert _weir("report", "small", "other", *store) == 0
    assert "It matters little." in capsys.readouterr().out
    page = (store_path / "report.html").read_text()
    assert "supported (1 of 2 comparisons support it; 1 not measured)" in page
    assert "<h1>small</h1>" in page
    assert "<h1>other</h1>" in page

    (tmp_path / "b.yaml").write_text(yaml.safe_dump({"citation": "Another paper"}))
    assert _weir("report", "small", campaign_file(name="other", paper="b.yaml"), *store) == 2
    assert "--paper" in capsys.readouterr().err
    assert _weir("report", "small", "other", *store, "--paper", tmp_path / "b.yaml", "--json") == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


@pytest.mark.usefixtures("stand_in")
def test_the_distance_of_what_is_assumed_to_a_papers_tables(
    campaign_file: Campaign, store_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    control, method = "server.congestion_control", "gateway.shaping.method"
    table = {
        "factors": [control],
        "metrics": {"mean_bitrate_bps": {1: {"cubic": 1e6, "reno": 2e6}}},
    }
    paper = {"citation": "A paper", "campaigns": {"small": table}}
    (tmp_path / "paper.yaml").write_text(yaml.safe_dump(paper))
    factors = {control: ["cubic", "reno"], method: ["none", "htbm"]}
    file, store = campaign_file(factors=factors, paper="paper.yaml"), ["--store", str(store_path)]
    assert _weir("run", file, *store) == 0
    capsys.readouterr()
    assert _weir("distance", file, *store, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["levels"][method] for one in found["distances"]} == {"none", "htbm"}
    assert [one["factor"] for one in found["neighbours"]] == [method]
    assert _weir("distance", file, *store, "--over", f"{method}=none,htbm") == 0
    assert "mean" in capsys.readouterr().out
    for refused in (method, f"{control}=reno", f"{method}=rwtm"):
        assert _weir("distance", file, *store, "--over", refused) == 2
        assert f"--over: {refused.split('=')[0]}" in capsys.readouterr().err
    assert _weir("distance", campaign_file(factors=factors), *store) == 2
    assert "it names no paper" in capsys.readouterr().err


@pytest.mark.usefixtures("stand_in")
def test_peoples_scores_stand_beside_what_was_measured(
    campaign_file: Campaign, store_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", str(store_path)]
    assert _weir("run", campaign_file(), *store) == 0
    key = next((store_path / "runs").glob("*/*/run.json")).parent.name
    scores = tmp_path / "scores.csv"
    scores.write_text(f"person,recording,item,score\nann,{key},picture,4\nbob,{key},picture,5\n")
    capsys.readouterr()
    assert _weir("report", "small", *store, "--ratings", scores, "--json") == 0
    (campaign,) = json.loads(capsys.readouterr().out)["campaigns"]
    (opinion,) = campaign["opinions"]
    assert (opinion["item"], opinion["people"], opinion["mean"]) == ("picture", 2, 4.5)
    assert _weir("report", "small", *store, "--ratings", scores) == 0
    assert "Opinion scores" in (store_path / "campaigns" / "small" / "report.html").read_text()
    scores.write_text(f"person,recording,item,score\nann,{key},picture,7\n")
    assert _weir("report", "small", *store, "--ratings", scores) == 2
    assert "score 7" in capsys.readouterr().err


@pytest.mark.usefixtures("stand_in")
def test_a_record_with_a_paper_in_an_older_form_is_refused(
    campaign_file: Campaign, store_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = campaign_file()
    assert _weir("run", file, "--store", store_path) == 0
    path = store_path / "campaigns" / "small" / "campaign.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "paper": {"citation": "A", "claims": ["It rains."]}}))
    capsys.readouterr()
    assert _weir("report", "small", "--store", store_path) == 2
    assert "another version" in capsys.readouterr().err
    assert _weir("report", file, "--store", store_path) == 0


@pytest.mark.usefixtures("stand_in")
def test_a_changed_byte_is_a_difference(campaign_file: Campaign, store_path: Path) -> None:
    file = campaign_file(factors={}, replicates=1)
    assert _weir("run", file, "--store", store_path) == 0
    (run,) = (store_path / "runs").glob("*/*")
    with (run / "events.jsonl").open("a") as events:
        events.write("{}\n")
    assert _weir("replay", run, "--store", store_path) == 1


@pytest.mark.usefixtures("stand_in")
def test_failed_runs_are_tried_again_and_counted_once(
    campaign_file: Campaign,
    store_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    flag = tmp_path / "flag"
    file = campaign_file(experiment=_experiment("fails-unless-flag"), factors={})
    assert _weir("run", file, "--store", store_path) == 1
    assert "is not there yet" in capsys.readouterr().err
    flag.touch()
    assert _weir("run", file, "--store", store_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"succeeded": 3}
    assert not list((store_path / "failed").iterdir())


@pytest.mark.usefixtures("stand_in")
def test_invalid_runs_are_kept_but_never_averaged(
    campaign_file: Campaign, store_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = campaign_file(experiment=_experiment("off-conditions"), factors={})
    assert _weir("run", file, "--store", store_path) == 1
    capsys.readouterr()
    assert _weir("run", file, "--store", store_path, "--json") == 1
    assert json.loads(capsys.readouterr().out)["done_now"] == 0
    assert _weir("report", file, "--store", store_path, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    (said,) = said["campaigns"]
    assert said["groups"] == []
    assert len(said["troubles"]) == 3
    assert _weir("run", file, "--store", store_path, "--retry-invalid", "--json") == 1
    assert json.loads(capsys.readouterr().out)["done_now"] == 3


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    ("arguments", "changes", "says"),
    [
        (("run",), {"replicates": 100_000}, "--yes"),
        (("run", "--set", "nonsense"), {}, "path=value"),
        (("run", "--set", "durations=3s"), {}, "durations"),
        (("run", "--jobs", "-1"), {}, "--jobs"),
        (("run",), {"factors": {"server.congestion_control": ["reno", "bic"]}}, "bic"),
        (("validate", "--set", "server.congestion_control=bic"), {}, "allowed: cubic"),
        (("run",), {"nome": "x"}, "nome"),
        (("run",), {"factors": {"server.congestion_control": []}}, "congestion_control"),
        (("validate", "--set", "duration=3Mbit/s"), {}, "duration"),
        (("run", "--set", "clients.0.options={level: 1, sigmaa: 1}"), {}, "unknown key"),
        (("validate", "--set", "clients.0.options={level: 1, sigmaa: 1}"), {}, "sigmaa"),
        (("report", "--metric", "goodness"), {}, "goodness"),
        (("report",), {}, "weir run"),
    ],
)
def test_bad_input_is_told_and_writes_nothing(
    arguments: tuple[str, ...],
    changes: dict[str, Any],
    says: str,
    campaign_file: Campaign,
    store_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEIR_STORE", str(store_path))
    file = campaign_file(**changes)
    assert _weir(arguments[0], file, *arguments[1:]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert "Traceback" not in told
    assert not store_path.exists()


def test_a_missing_file_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _weir("validate", tmp_path / "absent.yaml") == 2
    assert "absent.yaml" in capsys.readouterr().err


def test_without_a_kernel_nothing_is_written(
    campaign_file: Campaign,
    store_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(lab_kernel, "find", lambda: None)
    assert _weir("run", campaign_file(), "--store", store_path) == 3
    assert "weir kernel build" in capsys.readouterr().err
    assert not store_path.exists()


def test_help_version_and_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert _weir("--version") == 0
    assert capsys.readouterr().out.startswith("weir ")
    assert _weir("run", "--help") == 0
    assert "Exit codes" in capsys.readouterr().out
    assert _weir("schema") == 0
    assert "properties" in json.loads(capsys.readouterr().out)


def test_doctor_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kernel: Kernel
) -> None:
    monkeypatch.setattr(lab_kernel, "find", lambda: None)
    assert _weir("doctor", "--json") == 3
    findings = json.loads(capsys.readouterr().out)["findings"]
    (missing,) = [finding for finding in findings if finding["name"] == "lab kernel"]
    assert missing["remedy"] == "weir kernel build"
    assert replace(kernel).path == Path("/nowhere")


def test_states_are_of_this_store_only(store_path: Path) -> None:
    assert Store(store_path).states(["0" * 32]) == {"0" * 32: ("pending", "")}
