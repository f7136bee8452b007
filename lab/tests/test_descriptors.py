"""A cell that would have more files open than a process may is told before it begins."""

from __future__ import annotations

import subprocess
import sys

REQUIRE = "import sys; from weir_lab import descriptors; descriptors.require(int(sys.argv[1]))"


def said(most: int, clients: int) -> str:
    limited = f'ulimit -n {most}; exec "$0" -c "$1" {clients}'
    command = ["bash", "-c", limited, sys.executable, REQUIRE]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


def test_what_may_be_is_told() -> None:
    told = said(1024, 500)
    assert "a cell of 500 clients opens up to 1550 files, and a process may open 1024 here" in told
    assert "raise that (ulimit -Hn), or have fewer clients" in told


def test_what_fits_is_not_refused() -> None:
    assert said(1024, 300) == ""
