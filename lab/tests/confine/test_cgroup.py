"""A run's control group, on a real kernel that has them: Debian's User-Mode Linux."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import weir_testing.guests.cgroups as guest
from weir_lab.packages import python_path
from weir_testing.patience import PATIENCE_S

PROGRAM = shutil.which("linux.uml")
SIGKILL = -9
SYSTEMCTL = """#!/bin/sh
[ "$1 $2" = "--user show" ] || exit 1
echo "ControlGroup=/user@$(id -u).service/$4"
[ "$4" = delegated.scope ] && echo Delegate=yes || echo Delegate=no
"""


@pytest.fixture(name="found", scope="module")
def of_a_machine_with_control_groups(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if PROGRAM is None:
        pytest.skip("needs Debian's package user-mode-linux: make test-servers")
    folder = tmp_path_factory.mktemp("machine")
    path = [*python_path(), str(Path(guest.__file__).parents[2])]
    first = folder / "first"
    first.write_text(
        f"#!{os.path.realpath(sys.executable)} -B\n"
        f"import os, runpy, sys\nsys.path[:0] = {[*path, *sys.path]!r}\n"
        f"os.environ['PATH'] = {f'{folder}:{os.defpath}'!r}\n"
        f"runpy.run_path({guest.__file__!r}, run_name='__main__')\n"
    )
    first.chmod(0o755)
    (folder / "systemctl").write_text(SYSTEMCTL)
    (folder / "systemctl").chmod(0o755)
    registers = folder / "registers.so"
    source = Path(guest.__file__).with_name("registers.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", registers, source], check=True)
    words = ["mem=512M", "rootfstype=hostfs", "rootflags=/", "ro", f"init={first}"]
    words += [f"uml_dir={folder}/", "con=null", "con0=null,fd:1", "quiet", "panic=-1"]
    done = subprocess.run(
        [PROGRAM, *words],
        env={
            "TMPDIR": str(folder),
            "HOME": str(folder),
            "PATH": os.environ["PATH"],
            "LD_PRELOAD": str(registers),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=10 * PATIENCE_S,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
    assert lines, done.stdout
    told: dict[str, Any] = json.loads(lines[0].removeprefix("FOUND "))
    return told


def test_a_group_is_used_only_where_it_is_delegated(found: dict[str, Any]) -> None:
    assert not found["at the machine's root"]
    assert not found["in a group that is not delegated"]
    assert found["in units of a user's own manager"] == [False, True]
    assert found["home"] == found["home after runs"] == "/sys/fs/cgroup/worker.service"


def test_a_run_that_takes_too_much_memory_is_ended_whole(found: dict[str, Any]) -> None:
    assert (found["greedy"], found["with it"]) == (SIGKILL, SIGKILL)
    assert found["ran out"] == [True, False, False]


def test_a_run_starts_so_many_processes_and_no_more(found: dict[str, Any]) -> None:
    assert found["started"] == guest.PROCESSES - 1


def test_other_runs_go_on_meanwhile(found: dict[str, Any]) -> None:
    assert found["honest"] is None


def test_at_its_end_nothing_is_left(found: dict[str, Any]) -> None:
    assert (found["bomb"], found["honest at its end"]) == (SIGKILL, SIGKILL)
    assert found["left"] == ["weir-kept"]
