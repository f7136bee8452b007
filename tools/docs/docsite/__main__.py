"""Build the site: python -m docsite [--checkout FOLDER] [--out FOLDER]; prints its first page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docsite.build import ROOT, SiteError, build


def main() -> int:
    """0: built, and nothing is wrong with it; else 1."""
    parser = argparse.ArgumentParser(prog="docsite", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--checkout", type=Path, default=ROOT)
    asked = parser.parse_args()
    try:
        print(build(asked.out, asked.checkout))
    except SiteError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
