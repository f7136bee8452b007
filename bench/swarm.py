"""1,000 experiments drawn from the spec's whole space, each run twice: what must hold, does it?

Rules: weir_testing.swarm.held. What breaks one is made as small as it can be and written to the
corpus (weir_testing.swarm.corpus), which the tests repeat. Two processes draw, each by its seed.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor

from weir_bench.common import require_kernel, show
from weir_lab import players
from weir_testing.swarm import corpus
from weir_testing.swarm.search import Found, search

DRAWS = 1000
PROCESSES = 2
FIRST_SEED = 1


def main(json: bool = False) -> int:
    """Draw, run, shrink, keep, print; 1 where something broke a rule."""
    kernel = require_kernel()
    players.fetch()
    started = time.perf_counter()
    with ProcessPoolExecutor(PROCESSES) as pool:
        seeds = range(FIRST_SEED, FIRST_SEED + PROCESSES)
        each = pool.map(search, seeds, [DRAWS // PROCESSES] * PROCESSES, [kernel] * PROCESSES)
        by_rule: dict[str, Found] = {one.rule: one for found in each for one in found}
    for one in by_rule.values():
        corpus.keep(one)
    show(
        {
            "draws": DRAWS,
            "runs": 2 * DRAWS,
            "wall_s": round(time.perf_counter() - started),
            "rules_broken": sorted(by_rule),
        },
        json,
    )
    return 1 if by_rule else 0


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
