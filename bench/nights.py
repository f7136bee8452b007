"""How often a night without a change raises an alarm: 200 that are really run, and 800 drawn.

Each night is 24 replicates of one combination, 12 s of film and two viewers, with seeds of its own,
and is judged over the whole catalogue beside the night before. 800 more are drawn, as are their
baselines, from all those runs. Three nights are run again with the same seeds: every byte is the
same. The runs stay in the lab's cache (`bench/nights`): stopped with Ctrl-C, it goes on when
started again.
"""

from __future__ import annotations

import sys

from weir_bench.no_change import Size, watch

FULL = Size(real=200, drawn=800, again=3)


def main(json: bool = False) -> int:
    """Print how many raise one; 1 where more than one night in a hundred does."""
    return watch(FULL, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
