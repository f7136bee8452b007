"""Reports over the API say what the folder's reports say."""

from __future__ import annotations

from typing import Any

import pytest
from weir_engine import jsonfile
from weir_engine.report import terminal
from weir_engine.report.build import build
from weir_engine.row import Row
from weir_testing.platform import Platform
from weir_testing.platform.results import API, Made, make_runs, store


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_runs(tmp_path_factory.mktemp("made"), description="<script>alert(1)</script>")


def _from_folders(made: Made) -> dict[str, Any]:
    record: Any = {
        "name": made.spec["name"],
        "spec": made.spec,
        "factors": list(made.spec["factors"]),
        "description": "",
    }
    rows = [
        Row(
            key,
            run.levels,
            run.replicate,
            run.seed,
            "succeeded",
            "",
            made.folders[key],
            jsonfile.read(made.folders[key] / "metrics.json"),
        )
        for run, key in zip(made.runs, made.keys, strict=True)
    ]
    return terminal.as_json(build(record, rows))


def test_a_report_is_that_of_the_run_directories(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    found = platform.client("read").get(f"{API}/campaigns/{campaign}/report").json()
    expected = _from_folders(made)
    assert found["states"] == expected["states"]
    assert [cell["mean"] for cell in found["groups"]] == [
        pytest.approx(cell["mean"]) for cell in expected["groups"]
    ]
    assert [cell["levels"] for cell in found["groups"]] == [
        cell["levels"] for cell in expected["groups"]
    ]


def test_runs_in_trouble_are_named(platform: Platform, made: Made) -> None:
    campaign = store(platform, made, state_of=lambda p: "failed" if p == 1 else "succeeded")
    found = platform.client("read").get(f"{API}/campaigns/{campaign}/report").json()
    assert [(each["state"], each["reason"]) for each in found["troubles"]] == [
        ("failed", "the cell gave up")
    ]


def test_the_page_has_pictures_and_lets_nothing_run(platform: Platform, made: Made) -> None:
    campaign = store(platform, made)
    params = {"metric": "mean_bitrate_bps", "level.server.congestion_control": "reno"}
    page = platform.client("read").get(f"{API}/campaigns/{campaign}/report.html", params=params)
    assert page.status_code == 200
    assert "<svg" in page.text
    assert "7.3-test" in page.text, "the kernel that the runs were made with"
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert platform.client("outsider").get(page.url.path).status_code == 404
    wrong = platform.client("read").get(page.url.path, params={"metric": "bitrate"})
    assert wrong.status_code == 422
