"""A campaign on the real lab kernel: run, replay, report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from weir_lab import kernel
from weir_orchestrator.cli import main

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

SPEC = {
    "name": "real",
    "experiment": {
        "duration": "12s",
        "content": {"ladder": ["248kbit/s", "928kbit/s", "4256kbit/s"], "segment": "2s"},
        "gateway": {
            "downlink": {"rate": "8Mbit/s", "queue": {"discipline": "sfq", "limit": "1bdp"}},
            "path": {"rtt": {"mean": "100ms"}},
        },
        "clients": [{"player": "aggressive-rate", "count": 2}],
    },
    "factors": {"gateway.shaping.method": ["none", "rwtm"]},
}


def test_a_campaign_runs_replays_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "real.yaml"
    file.write_text(yaml.safe_dump(SPEC))
    store = str(tmp_path / "store")
    assert main(["run", str(file), "--store", store, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"succeeded": 2}
    main(["status", "real", "--store", store, "--json"])
    for run in json.loads(capsys.readouterr().out)["runs"]:
        assert main(["replay", run["key"], "--store", store]) == 0
        main(["show", run["key"], "--store", store])
        assert "tc class add" in capsys.readouterr().out
    assert main(["report", "real", "--store", store]) == 0
    page = (tmp_path / "store" / "campaigns" / "real" / "report.html").read_text()
    assert page.count("<svg") > 4
