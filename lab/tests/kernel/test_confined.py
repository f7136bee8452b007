"""What a Makefile's commands may not: outlive the build, fill the disk, change files' times."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from weir_lab import confine
from weir_lab.kernel import confined
from weir_lab.kernel.bounds import Bounds
from weir_testing.patience import PATIENCE_S, until
from weir_testing.processes import name

STAY = ["sh", "-c", "setsid sleep 1000 > /dev/null 2>&1 & wait; echo built"]
FILL = "for n in $(seq 64); do head -c 1000000 /dev/zero > $n; done; exec sleep 1000"


def inside(tree: Path) -> list[int]:
    """The processes whose working directory is the tree."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == tree:
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(bool(confine.lacking()), reason="nothing is confined here")
def test_nothing_outlives_a_build(tmp_path: Path) -> None:
    said = confined.run(STAY, tmp_path, [], Bounds(PATIENCE_S))
    assert said.tail[-1] == "built\n"
    until(lambda: not inside(tmp_path), "the end of all that it started")


def test_a_process_would_outlive_it_elsewhere(tmp_path: Path) -> None:
    with subprocess.Popen(STAY, cwd=tmp_path, start_new_session=True) as process:
        until(lambda: "sleep" in map(name, inside(tmp_path)), "the process that stays")
        os.killpg(process.pid, signal.SIGKILL)
    (left,) = inside(tmp_path)
    os.kill(left, signal.SIGKILL)


@pytest.mark.skipif(bool(confine.lacking()), reason="nothing is confined here")
def test_no_object_of_anothers_build_is_dated_ahead(tmp_path: Path) -> None:
    """make would then not compile what the other's patch changed."""
    tree, others = tmp_path / "tree", tmp_path / "tcp_output.o"
    tree.mkdir()
    others.touch()
    before_ns = others.stat().st_mtime_ns
    ahead = ["touch", "-d", "2100-01-01", "../tcp_output.o"]
    assert confined.run(ahead, tree, [tmp_path], Bounds(PATIENCE_S)).code
    assert others.stat().st_mtime_ns == before_ns
    subprocess.run(ahead, cwd=tree, check=True)
    assert others.stat().st_mtime_ns > before_ns
    assert confined.run(["touch", "made", "made"], tree, [], Bounds(PATIENCE_S)).code == 0


@pytest.mark.parametrize(
    ("command", "bounds", "says"),
    [
        (FILL, Bounds(PATIENCE_S, size_bytes=8 << 20), "it wrote more than 8 MiB"),
        ("exec sleep 1000", Bounds(PATIENCE_S, free=1), "less than 100% of the disk is free"),
        ("exec sleep 1000", Bounds(0), "it took more than 0 s"),
    ],
)
def test_a_build_that_takes_too_much_is_ended(
    tmp_path: Path, command: str, bounds: Bounds, says: str
) -> None:
    with pytest.raises(confined.TookMuch, match=says):
        confined.run(["sh", "-c", command], tmp_path, [], bounds)
    until(lambda: not inside(tmp_path), "its end")
