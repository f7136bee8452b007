"""Campaigns from the API through Argo to their results, on a real cluster."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
import yaml
from weir_testing.checkout import ROOT
from weir_testing.cluster.alone import STORE, weir_run
from weir_testing.cluster.installed import Installed, small, until

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
QUICKSTART = ROOT / "campaigns/quickstart.yaml"
_READ = f"""
import json, pathlib
found = pathlib.Path("{STORE}/runs").glob("*/*/metrics.json")
print(json.dumps({{path.parent.name: path.read_text() for path in found}}))
"""


def test_quickstart_gives_what_the_local_executor_gives(installed: Installed) -> None:
    """The same keys (lab kernel, roles, experiment, seed) and the same bytes."""
    # Runs that the cluster has done before would not be done again.
    own_seed = re.sub(r"(?m)^seed: .*", f"seed: {uuid.uuid4().int % 2**31}", QUICKSTART.read_text())
    campaign = installed.submit(own_seed)
    until(lambda: installed.ended(campaign), "the end of quickstart", 900)
    assert installed.counts(campaign) == {"succeeded": 18}, installed.history(campaign)
    assert installed.each_ended_once(campaign, 18)
    runs = installed.api(f"/campaigns/{campaign}/runs", limit=100)["items"]
    there = {run["key"]: installed.artifact(run["id"], "metrics.json") for run in runs}
    with weir_run(installed, own_seed) as (_, inside):
        alone = json.loads(inside("python", "-c", _READ))
    assert there == {key: text.encode() for key, text in alone.items()}


def test_a_search_comes_to_the_levels_that_it_comes_to_alone(installed: Installed) -> None:
    """The second control starts at what was found for the first; every round's runs are pods'."""
    asked = small("search", 1) | {
        "factors": {"server.congestion_control": ["cubic", "reno"]},
        "search": {
            "factor": "gateway.downlink.rate",
            "from": "1Mbit/s",
            "to": "9Mbit/s",
            "step": "1Mbit/s",
            "near": "server.congestion_control",
            "passes": {"metric": "stall_count", "at_most": 0},
            "confirm": 1,
        },
    }
    # 2 Mbit/s of film do not fit through 1 Mbit/s, and do through 9.
    campaign = installed.submit(asked)
    until(lambda: installed.ended(campaign), "the end of the search", 900)
    told = installed.api(f"/campaigns/{campaign}/search")
    assert [each["state"] for each in told["subjects"]] == ["found", "found"], told
    runs = installed.api(f"/campaigns/{campaign}/runs", limit=100)["items"]
    assert installed.counts(campaign) == {"succeeded": len(runs)}, installed.history(campaign)
    assert installed.each_ended_once(campaign, len(runs))
    there = {run["key"]: installed.artifact(run["id"], "metrics.json") for run in runs}
    with weir_run(installed, yaml.safe_dump(asked)) as (_, inside):
        alone = json.loads(inside("python", "-c", _READ))
    assert there == {key: text.encode() for key, text in alone.items()}


def test_a_live_cell_has_pods_of_its_own_for_every_host(installed: Installed) -> None:
    """20 s on the real clock with a server, a gateway and two clients, on two paths."""
    loose = {"rtt_tolerance": "50ms", "rate_tolerance": "50%"}
    loose |= {"timer_lateness": "500ms", "cpu_starvation": "95%"}
    path = {"downlink": {"rate": "4Mbit/s"}, "rtt": {"mean": "20ms"}}
    live = small("live", 1, clock="real", checks=loose, gateway={"paths": {"a": path, "b": path}})
    live["experiment"]["clients"] = [
        {"player": "fixed", "options": {"level": 1}, "count": 2, "transport": "mptcp"},
    ]
    campaign = installed.submit(live)
    roles = until(lambda: _roles(installed, campaign) or None, "four agents")
    assert roles == ["client", "client", "gateway", "server"]
    until(lambda: installed.ended(campaign), "the end of the live run", 600)
    runs = installed.api(f"/campaigns/{campaign}/runs")["items"]
    assert [run["state"] for run in runs] == ["succeeded"], runs
    metrics = json.loads(installed.artifact(runs[0]["id"], "metrics.json"))
    assert len(metrics["clients"]) == 2
    checks = json.loads(installed.artifact(runs[0]["id"], "checks.json"))
    measured = {check["name"]: check["measured"] for check in checks}
    assert [measured[f"mptcp_subflows_client{number}"] for number in (1, 2)] == [1, 1]
    # Echo requests, before and after, are 40.
    assert min(measured[f"queue_sent_packets_{name}"] for name in ("a", "b")) > 100
    until(lambda: not installed.pods(campaign), "the end of the cell's pods", 120)


def _roles(installed: Installed, campaign: str) -> list[str]:
    agents = [
        pod["metadata"]["labels"]["weir.dev/role"]
        for pod in installed.pods(campaign)
        if "weir.dev/role" in pod["metadata"]["labels"]
    ]
    return sorted(agents) if len(agents) == 4 else []


def test_pods_hold_no_privilege(installed: Installed) -> None:
    """What the namespace enforces is what it refuses, and what its pods are."""
    wrong: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "wrong"},
        "spec": {
            "containers": [
                {"name": "main", "image": "any", "securityContext": {"privileged": True}}
            ]
        },
    }
    with pytest.raises(AssertionError, match="violates PodSecurity"):
        installed.kubectl("apply", "-f", "-", stdin=yaml.safe_dump(wrong))
    campaign = installed.submit(small("privilege", 30))
    pod = until(lambda: installed.pods(campaign), "a pod")[0]["metadata"]["name"]
    read = [
        "exec",
        pod,
        "-c",
        "main",
        "--",
        "grep",
        "-E",
        "Cap(Eff|Bnd)|NoNewPrivs",
        "/proc/1/status",
    ]
    said = until(lambda: _said(installed, read), "a running pod")
    assert said == ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"]
    until(lambda: installed.ended(campaign), "its end", 600)


def _said(installed: Installed, words: list[str]) -> list[str]:
    try:
        return installed.kubectl(*words).splitlines()
    except AssertionError:
        return []
