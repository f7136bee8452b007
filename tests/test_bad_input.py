"""Bad input: exit code 2, a message with path, value and remedy, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from weir_testing.command import campaign, weir

Change = Callable[[dict[str, Any]], object]


def changed(folder: Path, change: Change) -> Path:
    """The tiny campaign with something wrong in it."""
    path = campaign(folder)
    spec = yaml.safe_load(path.read_text())
    change(spec)
    path.write_text(yaml.safe_dump(spec, sort_keys=False))
    return path


def put(path: str, value: Any) -> Change:
    """Set one field of the spec."""

    def change(spec: dict[str, Any]) -> None:
        *folders, name = path.split(".")
        for folder in folders:
            spec = spec.setdefault(folder, {})
        spec[name] = value

    return change


CASES: dict[str, tuple[Change, list[str]]] = {
    "unknown key": (
        put("experiment.gateway.downlink.ratte", "8Mbit/s"),
        ["gateway.downlink.ratte", "rate"],
    ),
    "wrong unit": (
        put("experiment.gateway.downlink.rate", "8ms"),
        ["gateway.downlink.rate", "8ms", "8Mbit/s"],
    ),
    "no unit": (put("experiment.duration", 10), ["duration", "10", "s"]),
    "impossible value": (
        put("experiment.gateway.path.loss", {"downlink": "150%"}),
        ["gateway.path.loss.downlink", "150%", "100"],
    ),
    "falling ladder": (
        put("experiment.content.ladder", ["2Mbit/s", "1Mbit/s"]),
        ["content.ladder.1", "1e+06", "rise"],
    ),
    "unknown player": (
        put("experiment.clients", [{"player": "agressive-rate"}]),
        ["clients.0.player", "agressive-rate", "aggressive-rate"],
    ),
    "missing ABR file": (
        put("experiment.clients", [{"player": "./nowhere.py"}]),
        ["clients.0.player", "nowhere.py"],
    ),
    "missing trace": (
        put("experiment.gateway.downlink.rate", {"trace": "no.trace", "format": "mahimahi"}),
        ["gateway.downlink.rate", "no.trace"],
    ),
    "empty factor": (
        put("factors", {"server.congestion_control": []}),
        ["factors", "server.congestion_control"],
    ),
    "factor of nothing": (
        put("factors", {"server.congestion_controll": ["reno"]}),
        ["server.congestion_controll", "congestion_control"],
    ),
    "bad level": (
        put("factors", {"gateway.path.rtt.mean": ["100ms", "fast"]}),
        ["gateway.path.rtt.mean", "fast"],
    ),
    "no replicates": (put("replicates", 0), ["replicates", "0"]),
    "a million runs": (put("replicates", 1_000_000), ["1,000,000 runs", "--yes"]),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_told_and_nothing_is_written(tmp_path: Path, case: str) -> None:
    change, words = CASES[case]
    store = tmp_path / "store"
    done = weir("run", changed(tmp_path, change), "--store", store)
    assert done.returncode == 2, done.stderr
    assert [word for word in words if word not in done.stderr] == []
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not store.exists()


@pytest.mark.kernel
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("verb", ["run", "validate"])
@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("server", {"congestion_control": "hybla"}, "server.congestion_control"),
        (
            "traffic",
            [{"kind": "tcp", "congestion_control": "hybla"}],
            "traffic.0.congestion_control",
        ),
    ],
)
def test_a_congestion_control_that_no_kernel_has(
    verb: str, field: str, value: object, where: str, tmp_path: Path
) -> None:
    file = changed(tmp_path, put(f"experiment.{field}", value))
    done = weir(verb, file, cwd=tmp_path)
    assert done.returncode == 2
    for word in (where, "hybla", "illinois", "lab/cc"):
        assert word in done.stderr
    assert not (tmp_path / "weir-store").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nowhere.yaml"], ["nowhere.yaml"]),
        (["run", "tiny.yaml", "--set", "duration=10"], ["duration", "10"]),
        (["run", "tiny.yaml", "--set", "durration=10s"], ["durration", "duration"]),
        (["run", "tiny.yaml", "--set", "duration"], ["duration", "="]),
        (["run", "tiny.yaml", "--jobs", "many"], ["--jobs", "integer"]),
        (["run", "tiny.yaml", "--replicates", "-1"], ["replicates", "-1"]),
        (["show", "ffffff"], ["ffffff", "key"]),
        (["status", "never-run"], ["never-run", "weir run"]),
    ],
    ids=" ".join,
)
def test_bad_arguments(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    campaign(tmp_path)
    store = tmp_path / "store"
    done = weir(*arguments, "--store", store, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert [word for word in words if word not in done.stderr] == []
    assert "Traceback" not in done.stderr
    assert not store.exists()


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    def two(spec: dict[str, Any]) -> None:
        put("experiment.duration", "ten seconds")(spec)
        put("experiment.server", {"http": "lighttpd"})(spec)

    done = weir("validate", changed(tmp_path, two))
    assert done.returncode == 2
    for word in ("duration", "ten seconds", "server.http", "lighttpd", "nginx"):
        assert word in done.stderr
