"""`weir whatif` and `weir oracle` of a run in the lab kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_lab import kernel
from weir_orchestrator.cli import main

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(kernel.find() is None, reason="no lab kernel: weir kernel build"),
]

SPEC: dict[str, Any] = {
    "name": "choices",
    "experiment": {
        "duration": "30s",
        "content": {"ladder": ["248kbit/s", "928kbit/s", "2Mbit/s"], "segment": "2s"},
        "gateway": {
            "downlink": {"rate": "3Mbit/s"},
            "path": {"rtt": {"mean": "60ms", "stddev": "3ms"}},
        },
        "clients": [{"player": "classic1"}, {"player": "aggressive-rate", "start": "4s"}],
    },
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A store with a run in it, and the run's key."""
    folder = tmp_path_factory.mktemp("whatif")
    (folder / "choices.yaml").write_text(yaml.safe_dump(SPEC))
    store = folder / "store"
    assert main(["run", str(folder / "choices.yaml"), "--store", str(store)]) == 0
    (run,) = store.glob("runs/*/*")
    return str(store), run.name


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_decision_is_a_run_like_any_other(
    kept: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    store, key = kept
    asked = ("whatif", key, "--client", "2", "--segment", "3", "--level", "0", "--store", store)
    found = told(capsys, *asked)
    assert found["original"]["key"] == key != found["whatif"]["key"]
    assert found["parting"]["t_s"] > 4
    changes = [each for each in found["metrics"] if each["original"] != each["whatif"]]
    assert {each["client"] for each in changes} == {1, 2}
    run = json.loads(Path(found["whatif"]["path"], "run.json").read_text())
    assert run["levels"] == {"what if": "client 2, segment 3: level 0"}
    assert run["experiment"]["clients"][1]["decisions"] == {"3": 0}
    assert main(["replay", run["key"], "--store", store]) == 0
    assert main(list(asked)) == 0
    assert "they part at" in capsys.readouterr().out


def test_a_condition_is_held_against_the_same_program_that_changes_nothing(
    kept: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    store, key = kept
    rate = ("--at", "12s", "--set", "gateway.downlink.rate=1Mbit/s")
    found = told(capsys, "whatif", key, *rate, "--store", store)
    assert 12 <= found["parting"]["t_s"] < 13


def test_an_oracle_goes_on_from_its_runs_and_keeps_the_best(
    kept: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    store, key = kept
    asked = ("oracle", key, "--runs", "14", "--qoe", "qoe_sabre", "--store", store)
    found = told(capsys, *asked)
    assert found["runs"] <= 14
    assert found["regret"] == found["best"] - found["own"] > 0
    best = Path(found["best_path"])
    metrics = json.loads((best / "metrics.json").read_text())
    assert metrics["clients"][0]["qoe_sabre"] == found["best"]
    assert (best / "queue.parquet").exists()
    before = {path.name for path in Path(store).glob("runs/*/*")}
    assert told(capsys, *asked) == found
    assert {path.name for path in Path(store).glob("runs/*/*")} == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["whatif", "--segment", "99", "--level", "1"], "segments that client 1 asked for"),
        (["whatif", "--segment", "3", "--level", "3"], "a level of the ladder, 0 to 2"),
        (["whatif", "--client", "3", "--segment", "3", "--level", "1"], "clients of the run"),
        (["whatif", "--segment", "3"], "--level"),
        (["whatif"], "--segment and --level, or --at and --set"),
        (["whatif", "--at", "40s", "--set", "gateway.downlink.rate=1Mbit/s"], "before 30s"),
        (["whatif", "--at", "4s", "--set", "clients.0.buffer=9s"], "while a run goes on"),
        (["oracle", "--qoe", "qoe_best"], "qoe_pensieve"),
        (["oracle", "--client", "0"], "clients of the run"),
    ],
)
def test_bad_input(
    kept: tuple[str, str], capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    store, key = kept
    command, *options = arguments
    assert main([command, key, *options, "--store", store]) == 2
    assert says in capsys.readouterr().err


def test_a_run_that_failed(
    kept: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run,) = Path(kept[0]).glob(f"runs/*/{kept[1]}")
    document = json.loads((run / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**document, "outcome": "failed"}))
    asked = ["whatif", str(tmp_path), "--segment", "3", "--level", "1", "--store", kept[0]]
    assert main(asked) == 2
    assert "it failed" in capsys.readouterr().err
