"""Ben Ameur scenario 1 whole: 12 combinations x 60 replicates, 36 hours of film, on all cores."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from _common import SCENARIO_1, whole_campaign


def main(json: bool = False) -> int:
    """Print runs, film time, wall time and what became of the runs."""
    return whole_campaign(SCENARIO_1, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
