"""A part of `boards`: over 5 nights, which are there within a minute.

A night is judged by its baseline's and its segment's first results, however many nights there are.
"""

from __future__ import annotations

import sys

from weir_bench.boards import measure

NIGHTS = 5


def main(json: bool = False) -> int:
    """Store, ask, print; 1 where a bound is missed."""
    return measure(NIGHTS, json)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
