"""A part of Livi et al. that shows its findings in minutes, on all cores."""

from __future__ import annotations

import sys

from weir_bench.common import LIVI, whole_campaign


def main(json: bool = False) -> int:
    """Print runs, film time, wall time and what became of the runs."""
    return whole_campaign(LIVI / "small.yaml", json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
