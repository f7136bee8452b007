"""Ben Ameur scenario 1 whole: 12 combinations x 60 replicates, 36 hours of film, on all cores."""

from __future__ import annotations

import json as jsonlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from _common import SCENARIO_1, show


def main(json: bool = False) -> int:
    """Print runs, film time, wall time and what became of the runs."""
    weir = Path(sys.executable).with_name("weir")
    with tempfile.TemporaryDirectory() as store:
        started = time.perf_counter()
        command = [str(weir), "run", str(SCENARIO_1), "--store", store, "--json"]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        wall_s = time.perf_counter() - started
        size = sum(path.stat().st_size for path in Path(store).rglob("*") if path.is_file())
    said = jsonlib.loads(run.stdout)
    show({"wall_s": round(wall_s, 1), "store_mib": round(size / 2**20), **said}, json)
    return run.returncode


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
