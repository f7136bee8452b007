#!/usr/bin/python3
"""Print the part of requirements.lock that some packages need: locked.py NAME...

`weir` is this project's own dependencies, `weir[server]` these and an extra's. pip's
--require-hashes wants a file with just what is installed; uv writes beside each entry who needs it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"^([A-Za-z0-9._-]+)")
OWN = re.compile(r"^weir(?:\[([a-z,]+)\])?$")
VIA = re.compile(r"^    #(?: via)? +([A-Za-z0-9._-]+)", re.M)


def main() -> int:
    """Writes entries as they stand in the lock file."""
    entries = _entries((ROOT / "requirements.lock").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {_normal(name) for asked in sys.argv[1:] for name in _requirements(asked, project)}
    if unknown := wanted - {name for name, _ in entries}:
        sys.exit(f"not in requirements.lock: {', '.join(sorted(unknown))}; compile it anew")
    before = 0
    while len(wanted) > before:
        before = len(wanted)
        wanted |= {name for name, text in entries if wanted & set(VIA.findall(text))}
    print("\n".join(text for name, text in entries if name in wanted))
    return 0


def _requirements(asked: str, project: dict[str, Any]) -> list[str]:
    """What a name stands for: itself, or this project's dependencies with its extras'."""
    if not (own := OWN.match(asked)):
        return [asked]
    extras = filter(None, (own[1] or "").split(","))
    of_extras = (each for extra in extras for each in project["optional-dependencies"][extra])
    return [*project["dependencies"], *of_extras]


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
