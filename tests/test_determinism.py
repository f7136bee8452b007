"""The same run key gives the same bytes, and recording disturbs nothing."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from weir.resolved import Experiment
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_lab.kernel.inputs import file_hash
from weir_lab.packages import python_path
from weir_testing import cells
from weir_testing.cells import client, experiment
from weir_testing.checkout import ROOT
from weir_testing.files import run_directory
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

QUEUE = {"discipline": "sfq", "limit_packets": 67, "options": {}}
REFERENCE: dict[str, Any] = {
    "duration_s": 30.0,
    "server.congestion_control": "illinois",
    "gateway.downlink.queue": QUEUE,
    "gateway.path.rtt.stddev_s": 0.007,
    "gateway.shaping.method": "rwtm",
}


def reference(**changes: Any) -> Experiment:
    """The reference run, shortened: two clients, Illinois, RWTM, jitter, an event."""
    event = {"at_s": 20.0, "for_s": 1.0, "loss": 0.5, "on": "uplink"}
    return experiment(REFERENCE | {"events": [event]} | changes, client(), client(start_s=5.0))


def written(kernel: Kernel, asked: Experiment, folder: Path, seed: int = 7) -> dict[str, bytes]:
    """Every file of the run directory by name."""
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    return run_directory(run_cell(asked, seed, kernel, scratch, cells.WALL_LIMIT_S), folder / "run")


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """That many processes that compute, while the block runs."""
    with ExitStack() as stack:
        for _ in range(count):
            spin = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(spin.wait)
            stack.callback(spin.kill)
        yield


@pytest.fixture(scope="module")
def first(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What all others are compared with."""
    files = written(kernel, reference(), tmp_path_factory.mktemp("first"))
    assert {"players/client-2.parquet", "tcp.parquet", "queue.parquet", "checks.json"} <= set(files)
    return files


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """Names of files that are not the same bytes."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.mark.parametrize("repeats", [2, pytest.param(20, marks=pytest.mark.long)])
def test_repeats(kernel: Kernel, first: dict[str, bytes], tmp_path: Path, repeats: int) -> None:
    for repeat in range(repeats):
        again = written(kernel, reference(), tmp_path / f"{repeat}")
        assert differing(first, again) == [], f"repeat {repeat}"


def test_in_a_kernel_without_its_symbol_table(
    kernel: Kernel, first: dict[str, bytes], tmp_path: Path
) -> None:
    """As a release has it (tools/release)."""
    stripped = tmp_path / "linux"
    subprocess.run(["strip", "--strip-all", "-o", stripped, kernel.path], check=True)
    stripped.chmod(0o755)
    assert stripped.stat().st_size < kernel.path.stat().st_size
    ready = replace(kernel, path=stripped, sha256=file_hash(stripped))
    assert differing(first, written(ready, reference(), tmp_path / "run")) == []


def test_with_busy_cores(kernel: Kernel, first: dict[str, bytes], tmp_path: Path) -> None:
    with busy_cores(4):
        for repeat in range(2):
            again = written(kernel, reference(), tmp_path / f"{repeat}")
            assert differing(first, again) == [], f"repeat {repeat}"


def test_four_at_once(kernel: Kernel, first: dict[str, bytes], tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        jobs = [
            pool.submit(written, kernel, reference(), tmp_path / f"at-once-{k}") for k in range(4)
        ]
        for job in jobs:
            assert differing(first, job.result()) == []


@pytest.mark.parametrize("name", ["s", "a-much-longer-name-" * 8, "with space and ü"])
def test_wherever_it_runs(
    kernel: Kernel,
    first: dict[str, bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    here = tmp_path / name
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("WEIR_TEST_UNUSED", "x" * 3000)
    assert differing(first, written(kernel, reference(), here / "deeper" / "still")) == []


RUN_THERE = """
import hashlib, sys, tempfile
from pathlib import Path
from test_determinism import reference, written
from weir_lab import kernel
with tempfile.TemporaryDirectory() as folder:
    files = written(kernel.find(), reference(), Path(folder))
print(*(f"{name} {hashlib.sha256(files[name]).hexdigest()}" for name in sorted(files)), sep="\\n")
"""


@pytest.mark.parametrize("depth", [0, pytest.param(1, marks=pytest.mark.long), 4])
def test_from_programs_installed_elsewhere_and_never_compiled_before(
    kernel: Kernel, first: dict[str, bytes], depth: int
) -> None:
    expected = [f"{name} {hashlib.sha256(first[name]).hexdigest()}" for name in sorted(first)]
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        copy = Path(short, *["deeper"] * depth)
        folders = [Path(folder).relative_to(ROOT) for folder in python_path()]
        for folder in folders:
            left_out = shutil.ignore_patterns("__pycache__", "tests")
            shutil.copytree(ROOT / folder, copy / folder, ignore=left_out)
        path = [*(copy / folder for folder in folders), ROOT / "tests"]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
        command = [sys.executable, "-c", RUN_THERE]
        said = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == expected


def test_another_seed_is_another_run(
    kernel: Kernel, first: dict[str, bytes], tmp_path: Path
) -> None:
    other = written(kernel, reference(), tmp_path / "other", seed=8)
    assert "players/client-1.parquet" in differing(first, other)


@pytest.mark.parametrize(
    "record",
    [
        {"tcp": "off", "queue": "full"},
        {"tcp": "full", "queue": "off"},
        {"tcp": "full", "queue": "summary"},
        {"tcp": "per-second", "queue": "per-second"},
        {"tcp": "off", "queue": "off"},
    ],
    ids=str,
)
def test_recording_disturbs_nothing(
    kernel: Kernel, first: dict[str, bytes], tmp_path: Path, record: dict[str, str]
) -> None:
    files = written(kernel, reference(record=record), tmp_path)
    same = {"players/client-1.parquet", "players/client-2.parquet", "events.jsonl"}
    if record["tcp"] == "full":
        same |= {"tcp.parquet", "retransmits.parquet", "flows.json"}
    if record["queue"] == "full" and record["tcp"] == "full":
        same |= {"queue.parquet"}
    if record["queue"] != "off":
        same |= {"queue_10ms.parquet"}
    assert [name for name in sorted(same) if files[name] != first[name]] == []
    quiet_metrics, full_metrics = _metrics(files), _metrics(first)
    assert quiet_metrics.keys() == full_metrics.keys()
    known = {name: value for name, value in quiet_metrics.items() if value is not None}
    assert len(known) > 20
    assert {name: full_metrics[name] for name in known} == known


@pytest.fixture(scope="module")
def marked(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Every file of a run of `two_downloads` with all records."""
    return written(kernel, two_downloads("full", "full"), tmp_path_factory.mktemp("marked"))


@pytest.mark.parametrize(
    ("tcp", "queue"), [("off", "full"), ("off", "per-second"), ("per-second", "per-second")]
)
def test_recording_disturbs_no_chance(
    kernel: Kernel, marked: dict[str, bytes], tmp_path: Path, tcp: str, queue: str
) -> None:
    """One random number more in the kernel, and from then on dualpi2 marks other packets."""
    files = written(kernel, two_downloads(tcp, queue), tmp_path)
    assert files["queue_10ms.parquet"] == marked["queue_10ms.parquet"]
    if queue == "full":
        columns = ["arrival_ns", "departure_ns", "fate", "seq", "marked"]
        packets, expected = (
            pq.read_table(io.BytesIO(run["queue.parquet"]), columns=columns)
            for run in (files, marked)
        )
        assert packets.equals(expected)
        assert sum(packets["marked"].to_pylist()) > 20
    quiet, full = _metrics(files), _metrics(marked)
    known = {name: value for name, value in quiet.items() if value is not None}
    assert known["run.traffic_share_percent"] > 0
    assert {name: full[name] for name in known} == known


def two_downloads(tcp: str, queue: str) -> Experiment:
    """A near and a far one, Cubic both, before dualpi2."""
    bottleneck = {"discipline": "dualpi2", "limit": "10000packets", "ecn": True}
    asked: Experiment = resolved(
        duration="15s",
        clients=[],
        sessions={"groups": [{"kind": "download", "size": "4GB"}]},
        gateway={
            "downlink": {"rate": "20Mbit/s", "queue": bottleneck},
            "path": {"rtt": {"mean": "10ms", "stddev": "0.1ms", "on": "split"}},
        },
        traffic=[{"kind": "tcp", "congestion_control": "cubic", "added_rtt": "150ms"}],
        record={"tcp": tcp, "queue": queue},
    )
    return asked


def _metrics(files: dict[str, bytes]) -> dict[str, Any]:
    content = json.loads(files["metrics.json"])
    flat = {f"run.{name}": value for name, value in content["run"].items()}
    for entry in content["clients"]:
        flat |= {f"{entry['client']}.{name}": value for name, value in entry.items()}
    return flat


def test_players_wake_when_they_were_to(kernel: Kernel, tmp_path: Path) -> None:
    """A few clock readings after their start, 256 ns each: not up to 50 us later, when some other
    timer happens to end, which would make results depend on what the guest did before."""
    (tmp_path / "run").mkdir()
    result = run_cell(reference(), 7, kernel, tmp_path / "run", cells.WALL_LIMIT_S)
    first, second = (float(player["request_s"][0]) for player in result.data.players)
    assert 0 <= first < 3e-6
    assert 0 <= second - 5.0 < 3e-6
