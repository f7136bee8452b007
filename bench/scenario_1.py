"""Ben Ameur scenario 1 whole: 12 combinations x 60 replicates, 36 hours of film, on all cores."""

from __future__ import annotations

import sys

from weir_bench.common import SCENARIO_1, whole_campaign


def main(json: bool = False) -> int:
    """Print runs, film time, wall time and what became of the runs."""
    return whole_campaign(SCENARIO_1, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
