"""Whether nights find known changes: in a player, a control in C, a queue; at random nights.

Five changes, 20 times each with other seeds, go into schedules of a real platform, whose nights of
two combinations x 24 replicates, and up to 96 where these cannot tell, are really run. For the
first 20 that are in a file, the commit is looked for among 20. What was run is kept in
the lab's cache by run key: stopped (Ctrl-C), it tells what it has; started again, it goes on.
"""

from __future__ import annotations

import sys

from weir_bench.injected import Size, inject_all

FULL = Size(trials=20, bisected=20, nights=8, commits=20, combinations=2)


def main(json: bool = False) -> int:
    """Print what was found, and what it cost this time."""
    return inject_all(FULL, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
