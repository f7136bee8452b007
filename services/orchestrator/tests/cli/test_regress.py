"""`weir regress` over real runs: what is the same, what became worse, and what cannot be told."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from weir_lab import kernel
from weir_orchestrator.cli import main

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

SPEC = {
    "name": "nightly",
    "experiment": {
        "duration": "10s",
        "content": {"ladder": ["248kbit/s", "928kbit/s", "1632kbit/s"], "segment": "2s"},
        "gateway": {
            "downlink": {"rate": "4Mbit/s", "queue": {"discipline": "sfq", "limit": "1bdp"}},
            "path": {"rtt": {"mean": "50ms", "stddev": "5ms"}},
        },
        "clients": [{"player": "bba0", "count": 1}],
    },
    "factors": {"server.congestion_control": ["cubic"]},
}


@pytest.fixture(name="campaign")
def written(tmp_path: Path) -> str:
    file = tmp_path / "nightly.yaml"
    file.write_text(yaml.safe_dump(SPEC))
    return str(file)


def carried_out(campaign: str, store: Path, *options: str) -> str:
    assert main(["run", campaign, "--store", str(store), *options]) == 0
    return str(store)


def test_a_baseline_finds_what_became_worse(
    campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = carried_out(campaign, tmp_path / "before", "--replicates", "16")
    same = carried_out(campaign, tmp_path / "same", "--replicates", "2")
    slower = carried_out(
        campaign,
        tmp_path / "slower",
        "--replicates",
        "16",
        "--set",
        "gateway.downlink.rate=1Mbit/s",
    )
    capsys.readouterr()

    again = ["regress", campaign, "--baseline-store", before, "--store"]
    assert main([*again, same]) == 0
    said = capsys.readouterr().out
    assert said.startswith("0 of 1 combinations changed in any way")
    assert "not compared: 14 of 16 runs of server.congestion_control cubic" in said

    junit, summary = tmp_path / "junit.xml", tmp_path / "summary.md"
    files = ["--junit", str(junit), "--markdown", str(summary)]
    assert main([*again, slower, *files, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["worse"] is True
    assert (told["combinations"], told["changed"]) == (1, 1)
    throughput = [one for one in told["verdicts"] if one["metric"] == "throughput_bps"]
    assert [one["verdict"] for one in throughput] == ["worse"]
    assert all(one["relative"] < -0.02 for one in throughput)
    failed = {
        case.get("name")
        for case in ElementTree.parse(junit).getroot()
        if case.find("failure") is not None
    }
    assert "throughput_bps" in failed
    assert summary.read_text().startswith("## nightly: worse")


def test_what_it_refuses(campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = carried_out(campaign, tmp_path / "store", "--replicates", "1")
    its = ["regress", campaign, "--store", store]
    for options, said in (
        ([], "--baseline: none is given"),
        (["--baseline", "weekly"], "weekly"),
        (["--baseline", "nightly", "--effect", "jain=much"], "--effect: jain=much"),
        (["--baseline", "nightly", "--junit", "/nowhere/junit.xml"], "--junit: /nowhere/junit.xml"),
    ):
        capsys.readouterr()
        assert main([*its, *options]) == 2
        assert said in capsys.readouterr().err
