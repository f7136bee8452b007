"""Livi et al. whole: 2,112 runs of 700 s, on all cores."""

from __future__ import annotations

import sys

from weir_bench.common import LIVI, whole_campaign


def main(json: bool = False) -> int:
    """Print runs, film time, wall time and what became of the runs."""
    return whole_campaign(LIVI / "matrix.yaml", json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
