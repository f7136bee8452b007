#!/usr/bin/python3
"""Write .env for compose.yaml: .env.example with a random value wherever it has none.

One that is there already is left as it is.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """0: there is one."""
    made = ROOT / ".env"
    if made.exists():
        print(f"{made.name} is there already: remove it to have new secrets made", file=sys.stderr)
        return 0
    text = (ROOT / ".env.example").read_text()
    filled = re.sub(
        r"^(\w+)=$", lambda line: f"{line[1]}={secrets.token_hex(16)}", text, flags=re.M
    )
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(filled)
    return 0


if __name__ == "__main__":
    sys.exit(main())
