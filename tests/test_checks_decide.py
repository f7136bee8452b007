"""A run whose check fails ends invalid, and its numbers enter nothing."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from weir_testing.cells import Runner, broken, experiment
from weir_testing.command import campaign, counts, finished, weir

pytestmark = pytest.mark.kernel


@pytest.mark.usefixtures("kernel")
def test_invalid_runs_enter_no_mean(tmp_path: Path) -> None:
    # No path measures 100 ms to the nanosecond: a frame's own time comes on top.
    file = campaign(tmp_path, {"checks.rtt_tolerance": ["1us", "100us"]})
    store = tmp_path / "store"
    done = weir("run", file, "--store", store, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["counts"] == {"succeeded": 2, "invalid": 2}
    assert "idle_rtt_s: asked 0.1, measured 0.1000" in done.stderr

    said = json.loads(weir("report", file, "--store", store, "--json").stdout)
    cells = said["campaigns"][0]["groups"]
    assert cells
    assert {cell["levels"]["checks.rtt_tolerance"] for cell in cells if cell["n"]} == {"100us"}

    table = tmp_path / "table.csv"
    assert weir("export", file, "--store", store, "--out", table).returncode == 0
    with table.open() as lines:
        assert len(list(csv.DictReader(lines))) == 2

    for run in finished(store):
        outcome = json.loads((run / "run.json").read_text())["outcome"]
        checks = json.loads((run / "checks.json").read_text())
        assert (outcome == "succeeded") == all(check["ok"] for check in checks)
        assert {"name", "asked", "applied", "measured", "tolerance", "ok"} <= set(checks[0])

    assert json.loads(weir("run", file, "--store", store, "--json").stdout)["done_now"] == 0
    again = weir("run", file, "--store", store, "--retry-invalid", "--json")
    assert json.loads(again.stdout)["done_now"] == 2
    assert counts(file, store) == {"succeeded": 2, "invalid": 2}


def test_each_check_can_fail(run_once: Runner) -> None:
    strict = {"checks.rtt_tolerance_s": 1e-7, "checks.rate_tolerance": 1e-9}
    assert {check["name"] for check in broken(run_once(experiment(strict)))} == {
        "idle_rtt_s",
        "downlink_rate_bps",
    }


@pytest.mark.usefixtures("kernel")
def test_a_run_can_be_shown_and_replayed(tmp_path: Path) -> None:
    file = campaign(tmp_path)
    store = tmp_path / "store"
    assert weir("run", file, "--store", store, "--replicates", "1").returncode == 0
    (run,) = finished(store)
    shown = weir("show", run.name[:6], "--store", store)
    for words in ("ip link add", "tc qdisc add dev", "sysctl -w net.ipv4.tcp_congestion_control"):
        assert words in shown.stdout
    same = weir("replay", run.name, "--store", store, "--json", cwd=tmp_path)
    assert json.loads(same.stdout) == {"run": run.name, "same": True, "differences": []}
    (run / "events.jsonl").write_text("{}\n")
    other = weir("replay", run.name, "--store", store, "--json")
    assert other.returncode == 1
    assert json.loads(other.stdout)["differences"] == ["events.jsonl"]
