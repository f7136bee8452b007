"""A search in the real lab kernel: by the command and on the platform, which is killed over it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest
import yaml
from weir_lab import kernel
from weir_orchestrator.cli import main
from weir_testing import kills
from weir_testing.patience import PATIENCE_S, until

# Each by itself: tests/test_searches.py, and housekeeping/test_searches.py on both back ends.
pytestmark = [
    pytest.mark.kernel,
    pytest.mark.long,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

FACTOR: Final = "gateway.downlink.rate"
SPEC: Final[dict[str, Any]] = {
    **kills.CAMPAIGN,
    "name": "both",
    "factors": {"server.congestion_control": ["cubic", "reno"]},
    "search": {
        "factor": FACTOR,
        "from": "2Mbit/s",
        "to": "9Mbit/s",
        "step": "1Mbit/s",
        "passes": {"metric": "startup_s", "at_most": 0.8},
        "confirm": 1,
    },
}


def test_both_try_the_same_levels_and_find_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "both.yaml"
    path.write_text(yaml.safe_dump(SPEC))
    assert main(["run", str(path), "--store", str(tmp_path / "store")]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if "that passes" in line]
    here = json.loads((tmp_path / "store/campaigns/both/campaign.json").read_text())["runs"]
    assert len(said) == 2
    assert not any("none" in line for line in said), said

    with kills.embedded() as make:
        backend = make()
        first = kills.Up(backend, tmp_path / "first.txt", jobs=2)
        try:
            with httpx2.Client(base_url=first.url, timeout=PATIENCE_S) as client:
                asked = {"document": path.read_text()}
                made = _good(client.post("/api/v1/teams/local/campaigns", json=asked))
                where = f"/api/v1/campaigns/{made['id']}"
                until(lambda: _good(client.get(f"{where}/progress"))["run_count"] > 4)
        finally:
            first.kill()
        second = kills.Up(backend, tmp_path / "second.txt", jobs=2)
        try:
            with httpx2.Client(base_url=second.url, timeout=PATIENCE_S) as client:
                until(lambda: _good(client.get(where))["state"] == "finished")
                runs = _good(client.get(f"{where}/runs?limit=500"))["items"]
                shown = _good(client.get(f"{where}/search"))
                capsys.readouterr()
                assert main(["status", made["id"], "--server", second.url]) == 0
                told = capsys.readouterr().out
                assert main(["report", made["id"], "--server", second.url]) == 0
                assert shown["sentence"] in capsys.readouterr().out
            assert second.drain() == 0
        finally:
            second.kill()
    assert {run["key"] for run in runs} == {run["key"] for run in here}
    assert len(runs) == len(here)
    assert shown["is_told"]
    assert [each["state"] for each in shown["subjects"]] == ["found", "found"]
    assert all(line in told for line in said), (said, told)


def _good(answer: httpx2.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()
