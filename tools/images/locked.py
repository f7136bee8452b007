#!/usr/bin/python3
"""Print the part of requirements.lock that some packages need: locked.py NAME...

`weir` is this project's own dependencies, without those of its extras. pip's --require-hashes
wants a file with just what is installed; uv writes beside each entry who needs it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = "weir"
NAME = re.compile(r"^([A-Za-z0-9._-]+)")
VIA = re.compile(r"^    #(?: via)? +([A-Za-z0-9._-]+)", re.M)


def main() -> int:
    """Writes entries as they stand in the lock file."""
    entries = _entries((ROOT / "requirements.lock").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {_normal(name) for name in sys.argv[1:]}
    if PROJECT in wanted:
        wanted = wanted - {PROJECT} | {_normal(each) for each in project["dependencies"]}
    if unknown := wanted - {name for name, _ in entries}:
        sys.exit(f"not in requirements.lock: {', '.join(sorted(unknown))}; compile it anew")
    before = 0
    while len(wanted) > before:
        before = len(wanted)
        wanted |= {name for name, text in entries if wanted & set(VIA.findall(text))}
    print("\n".join(text for name, text in entries if name in wanted))
    return 0


def _entries(lock: str) -> list[tuple[str, str]]:
    """(name, text); a name may come more than once, for other systems."""
    parts = re.split(r"^(?=[a-z0-9])", lock, flags=re.M)
    return [(_normal(part), part.rstrip()) for part in parts if NAME.match(part)]


def _normal(requirement: str) -> str:
    """`Psycopg[binary]>=3` -> `psycopg`."""
    found = NAME.match(requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[1]).lower()


if __name__ == "__main__":
    sys.exit(main())
