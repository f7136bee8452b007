"""A part of `injected`: each change once, in one combination; of one, the commit is looked for."""

from __future__ import annotations

import sys

from weir_bench.injected import Size, inject_all

SMALL = Size(trials=1, bisected=1, nights=3, commits=20, combinations=1)


def main(json: bool = False) -> int:
    """Print what was found, and what it cost this time."""
    return inject_all(SMALL, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
