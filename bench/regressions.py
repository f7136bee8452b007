"""How often a comparison of nights is wrong, and whether it finds changes that are known.

Nights without a change are drawn from a pool of real runs, with other seeds than the baseline's.
Nights with a change are really run, with the baseline's seeds. All are 24 replicates of the
quickstart campaign's two unshaped combinations, 30 s of film each.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from weir_bench.common import show
from weir_engine import rows
from weir_engine.regression import SHOWN, Judgement, effects, judge, pair
from weir_engine.row import Row
from weir_engine.store import Store
from weir_testing.checkout import ROOT

NIGHTS = 1000
REPLICATES = 24
POOL = 72
CHANGES = {
    "queue_0.8_bdp": "gateway.downlink.queue.limit=0.8bdp",
    "sigma_0.25": "clients.0.options.sigma=0.25",
    "rate_7.6_mbps": "gateway.downlink.rate=7.6Mbit/s",
    "rtt_105_ms": "gateway.path.rtt.mean=105ms",
}


def spec() -> dict[str, Any]:
    """The quickstart campaign without its shaping."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "campaigns" / "quickstart.yaml").read_text())
    del found["factors"]["gateway.shaping.method"]
    return found


def carried_out(folder: Path, replicates: int, *sets: str) -> list[Row]:
    """The rows of a campaign that this really runs."""
    weir = Path(sys.executable).with_name("weir")
    options = [part for text in ("duration=30s", *sets) for part in ("--set", text)]
    campaign = folder.with_suffix(".yaml")
    campaign.write_text(yaml.safe_dump(spec()))
    command = [str(weir), "run", str(campaign), "--replicates", str(replicates), *options]
    subprocess.run([*command, "--store", str(folder)], check=True, stdout=subprocess.DEVNULL)
    store = Store(folder)
    return rows.read(store, store.read_campaign("quickstart"))


def night(pool: list[Row], draw: random.Random) -> list[Row]:
    """Replicates drawn from a pool, numbered anew."""
    drawn = draw.sample(range(REPLICATES, REPLICATES + POOL), REPLICATES)
    place = {replicate: number for number, replicate in enumerate(drawn)}
    return [replace(row, replicate=place[row.replicate]) for row in pool if row.replicate in place]


def compared(baseline: list[Row], other: list[Row]) -> Judgement:
    return judge(pair(baseline, other)[0], effects.DEFAULTS)


def main(json: bool = False) -> int:
    """Print the share of false alarms, and what is said of each change."""
    draw = random.Random(1)
    found: dict[str, float | int | str] = {}
    with tempfile.TemporaryDirectory() as folder:
        pool = carried_out(Path(folder) / "pool", REPLICATES + POOL)
        baseline = [row for row in pool if row.replicate < REPLICATES]
        alarms = 0
        for _ in range(NIGHTS):
            verdicts = {one.verdict for one in compared(baseline, night(pool, draw)).judged}
            alarms += bool(verdicts & SHOWN)
        found |= {"nights_without_a_change": NIGHTS, "false_alarms": alarms}
        for name, change in CHANGES.items():
            judgement = compared(baseline, carried_out(Path(folder) / name, REPLICATES, change))
            counts = {
                verdict: sum(one.verdict == verdict for one in judgement.judged)
                for verdict in ("worse", "better", "cannot tell", "no matter")
            }
            found[name] = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    show(found, json)
    return 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
