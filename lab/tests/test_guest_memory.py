"""Folders for the guests' memory: kept while somebody has one, removed by the next when not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from weir_lab import memory
from weir_lab.packages import python_path
from weir_testing.patience import until

HOLDS = """
import os
from weir_lab import memory
held = memory.make(1).path
os.environ[memory.FOLDER] = str(held)
memory.make(1)  # as a confined process does
print(held, flush=True)
input()
"""


def test_another_processs_folder_stays_until_that_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(memory.FOLDER, str(tmp_path))
    path = [*map(str, python_path()), *sys.path]
    # In a process id namespace of its own its id says nothing here.
    alone = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
    with subprocess.Popen(
        [*alone, sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}; {HOLDS}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        held = Path(other.stdout.readline().strip())
        own = memory.make(1)
        assert held.is_dir() and own.path.is_dir()
        own.remove()
        other.kill()

    def is_swept() -> bool:
        memory.make(1).remove()
        return not held.exists()

    # Its end is told before its files are closed.
    until(is_swept, "the sweep of what it left")
    assert list(tmp_path.iterdir()) == []
