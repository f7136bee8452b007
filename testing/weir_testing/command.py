"""The `weir` command as a subprocess, and what it left in a store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from weir_engine.perform import WORK

from weir_testing.patience import PATIENCE_S

WEIR = Path(sys.executable).with_name("weir")
LOWEST = """
class Lowest:
    def __init__(self, ladder, options): pass
    def choose(self, state): return 0
"""
"""A player of one's own."""


def campaign(folder: Path, factors: dict[str, list[Any]] | None = None, **changes: Any) -> Path:
    """Write a campaign of 10 s of film, one client, two replicates; `changes` to its experiment."""
    experiment = {
        "duration": "10s",
        "content": {"ladder": ["248kbit/s", "928kbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
        "clients": [{"player": "aggressive-rate"}],
    }
    spec: dict[str, Any] = {"name": "tiny", "experiment": experiment | changes}
    spec |= {"replicates": 2, "seed": 1}
    if factors is not None:
        spec["factors"] = factors
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(spec, sort_keys=False))
    return path


def weir(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    words = [str(WEIR), *map(str, arguments)]
    return subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=PATIENCE_S, cwd=cwd
    )


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start the command in a process group of its own, where SIGINT ends it: not so for what a
    shell has put into the background, which inherits that it is ignored."""
    return subprocess.Popen(
        ["env", "--default-signal=INT", str(WEIR), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def counts(file: Path, store: Path) -> dict[str, int]:
    """Runs by state, from `weir status`."""
    done = weir("status", file, "--store", store, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)["counts"]
    return found


def finished(store: Path) -> list[Path]:
    """Run directories that stand in the store."""
    return sorted(path for path in store.glob("runs/*/*") if (path / "run.json").exists())


def leftovers(store: Path) -> list[str]:
    """What stands in the store's folder of unfinished runs."""
    return sorted(path.name for path in (store / "tmp").glob("*"))


def at_work(store: Path, file: str) -> bool:
    """Whether an unfinished run has that file by now: cell/record.bin, once its kernel runs."""
    return any((each / WORK / file).exists() for each in (store / "tmp").glob("*"))


def processes_in(store: Path) -> list[int]:
    """Processes whose working directory lies in the store: lab kernels do."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            cwd = os.readlink(process / "cwd")  # noqa: PTH115 - a deleted folder is no path
        except OSError:
            continue
        if cwd.startswith(str(store.resolve())):
            found.append(int(process.name))
    return found


def state_of(pid: int) -> str:
    """A process's state, by proc(5)'s letter. Raises FileNotFoundError, ProcessLookupError."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
