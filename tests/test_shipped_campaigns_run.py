"""The paper's five scenarios run, shortened."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir import metrics
from weir.expand import Expansion, Run
from weir.spec.load import load_campaign
from weir.spec.yamlfile import load_yaml
from weir_testing.cells import Runner, broken
from weir_testing.checkout import ROOT

PAPER = ROOT / "campaigns/ben-ameur-2016"


def scenario(number: int, duration: str, **levels: Any) -> Run:
    """A run of the scenario with these levels: Illinois and RWTM where not said otherwise."""
    file = PAPER / f"scenario-{number}.yaml"
    campaign = load_campaign(file, {"duration": duration}, replicates=1)
    wanted = {"gateway.shaping.method": "rwtm", "server.congestion_control": "illinois"} | levels
    (run,) = [run for run in Expansion(campaign).runs() if wanted.items() <= run.levels.items()]
    return run


def ran(run_once: Runner, run: Run) -> tuple[Any, Any]:
    """The result and its metrics; no check fails."""
    result = run_once(run.experiment, run.seed)
    assert broken(result) == []
    return result, metrics.compute(result.data)


@pytest.mark.kernel
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_papers_scenarios_run(run_once: Runner, number: int) -> None:
    events = {"events": load_yaml(PAPER / "scenario-4.yaml")["factors"]["events"][1]}
    one = scenario(number, "40s", **(events if number == 4 else {}))
    result, measured = ran(run_once, one)
    assert len(measured["clients"]) == (1 if number == 4 else 2)
    seen = [(event["event"], round(event["t_s"])) for event in result.data.events]
    expected = {
        1: [("session-opens", 0)] * 2,
        2: [("session-opens", 0), ("session-opens", 30)],
        3: [("session-opens", 0)] * 2 + [("session-closes", 30)],
        4: [("session-opens", 0), ("loss-begins", 30), ("loss-ends", 31)],
    }
    assert [event for event in seen if event in expected[number]] == expected[number]
    assert all(client["segments"] >= 3 for client in measured["clients"])
    assert measured["run"]["link_utilisation_percent"] > 10


@pytest.mark.kernel
@pytest.mark.parametrize("stddev", ["0ms", "50ms"])
def test_the_papers_fifth_scenario_runs(run_once: Runner, stddev: str) -> None:
    result, _ = ran(run_once, scenario(5, "20s", **{"gateway.path.rtt.stddev": stddev}))
    # The queue is nearly empty under RWTM, so the senders see the path's own variation.
    srtt_s = result.data.tcp["srtt_us"] / 1e6
    assert (np.std(srtt_s) > 0.01) == (stddev == "50ms")


@pytest.mark.kernel
def test_rwtm_keeps_round_trips_short_in_the_first_scenario(run_once: Runner) -> None:
    inflation = {}
    for method in ("none", "htbm", "rwtm"):
        one = scenario(1, "60s", **{"gateway.shaping.method": method})
        _, measured = ran(run_once, one)
        inflation[method] = measured["run"]["rtt_inflation_percent"]
    assert inflation["rwtm"] < inflation["htbm"]
    assert inflation["rwtm"] < inflation["none"]
