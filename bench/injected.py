"""Whether nights find known changes: in a player, a control in C, a queue; at random nights.

Five changes, five times each with other seeds, go into schedules of a real platform, whose nights
of 24 replicates, and up to 96 where these cannot tell, are really run. For the 20 that are in a
file the commit is looked for among 20. What was run is kept in the lab's cache by run key, so that
nights without a change cost nothing after the first: about 3,000 runs. Stopped (Ctrl-C), it tells
what it has; started again, it goes on.
"""

from __future__ import annotations

import sys

from weir_bench.injected import Size, inject_all

FULL = Size(trials=5, bisected=20, nights=5, commits=20, combinations=1)


def main(json: bool = False) -> int:
    """Print what was found, and what it cost this time."""
    return inject_all(FULL, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
