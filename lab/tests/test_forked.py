"""A fork of a lab kernel: its run is its seed's, and nothing of another run is in it."""

from __future__ import annotations

import itertools
import os
import signal
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir.resolved import Experiment
from weir_lab.boot import KernelKilled
from weir_lab.cell import run_cell
from weir_lab.confine import seccomp, system
from weir_lab.forked import NotForked, settle
from weir_lab.kernel import Kernel
from weir_lab.zygote import Zygote
from weir_testing.cells import client, experiment, kernel
from weir_testing.files import run_directory
from weir_testing.forks import helper_of, run_by, said_by, zygote_for
from weir_testing.patience import PATIENCE_S, until
from weir_testing.processes import children, descriptors

pytestmark = pytest.mark.kernel

KCMP, KCMP_FILE = 312, 0
"""kcmp(2): whether two descriptors are one file description."""
PR_SET_NO_NEW_PRIVS = 38
WITHOUT_PERSONALITY = (
    (0x20, 0, 0, 0), (0x15, 0, 1, 135), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000),
)  # fmt: skip
"""A seccomp filter: personality(2) fails with EPERM, as in Docker's own."""
MARK = "left-by-another-run"
LEAVE = f"""
echo {MARK} > /run/{MARK}; mkdir -p /run/weir/{MARK}
sleep 100000 & echo {MARK} > /proc/sys/kernel/hostname
ip link add name mark0 type dummy; cat /run/{MARK}
"""
LOOK = """
echo BEGIN; ls -R /run | grep -c left-by; cat /proc/sys/kernel/hostname; ip link | grep -c mark0
grep -l sleep /proc/[0-9]*/comm; cat /proc/uptime; ls /proc | grep -c '^[0-9]'; echo END
"""


@pytest.fixture(scope="module")
def short() -> Experiment:
    return experiment({"duration_s": 4.0}, client())


@pytest.fixture
def zygote(short: Experiment, tmp_path: Path) -> Iterator[Zygote]:
    made = zygote_for(kernel(), short, tmp_path)
    yield made
    made.close()


def fork_of(zygote: Zygote) -> int:
    """Its fork's kernel."""

    def found() -> list[int]:
        try:
            return children(helper_of(zygote.pid))
        except ValueError:  # it boots
            return []

    until(found, "a fork")
    (fork,) = found()
    return fork


def test_it_forks_wherever_the_host_puts_what_it_maps(short: Experiment, tmp_path: Path) -> None:
    def fork_one_each_of(zygotes: int) -> None:
        system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        seccomp.install(b"".join(struct.pack("HBBI", *each) for each in WITHOUT_PERSONALITY))
        for number in range(zygotes):
            with closing(zygote_for(kernel(), short, tmp_path)) as zygote:
                run_by(zygote, kernel(), short, 7, tmp_path / f"{number}")

    with ThreadPoolExecutor(1) as filtered:
        filtered.submit(fork_one_each_of, 8).result()


def test_a_seed_has_one_result_on_whichever_zygote_after_whatever(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    built = kernel()
    cold = tmp_path / "cold"
    cold.mkdir()
    expected = run_directory(run_cell(short, 7, built, cold, PATIENCE_S), tmp_path / "expected")
    other = zygote_for(built, short, tmp_path)
    try:
        said_by(LEAVE, built, short, tmp_path / "leaves", zygote)
        runs = [(zygote, 7), (zygote, 8), (zygote, 7), (zygote, 7), (other, 7)]
        for number, (by, seed) in enumerate(runs):
            result = run_by(by, built, short, seed, tmp_path / f"run-{number}")
            same = run_directory(result, tmp_path / f"written-{number}") == expected
            assert same == (seed == 7), number
    finally:
        other.close()


def test_nothing_of_a_run_is_seen_by_the_next(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    built = kernel()
    first = said_by(LOOK, built, short, tmp_path / "first", zygote)
    assert MARK in said_by(LEAVE, built, short, tmp_path / "leaves", zygote)
    after = said_by(LOOK, built, short, tmp_path / "after", zygote)
    seen = after[after.index("BEGIN") : after.index("END")]
    assert seen == first[first.index("BEGIN") : first.index("END")]
    assert seen.split()[1] == "0" and MARK not in seen
    assert "/comm" not in seen
    (memory,) = memory_of(zygote.pid)
    assert MARK.encode() not in memory.read_bytes()


def memory_of(pid: int) -> Iterator[Path]:
    """The guest's, of a zygote: a file without a name."""
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # one that a run was ordered by
            name = os.readlink(fd)  # noqa: PTH115
            if "weir-memory-" in name and name.endswith("(deleted)"):
                yield fd


def test_a_fork_shares_no_memory_and_no_file_description_with_its_zygote(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    folder = tmp_path / "spins"

    def spin() -> None:
        with suppress(KernelKilled):
            said_by("sleep 4; while :; do :; done", kernel(), short, folder, zygote)

    thread = threading.Thread(target=spin)
    thread.start()
    fork = fork_of(zygote)
    try:
        until(lambda: "EPOCH" in (folder / "log.txt").read_text(), "the guest")
        of_zygote = files_mapped(zygote.pid)
        assert of_zygote and not of_zygote & files_mapped(fork)
        assert set(shared(fork, zygote.pid)) == {"/dev/null"}
    finally:
        os.kill(fork, signal.SIGKILL)
        thread.join()


def files_mapped(pid: int) -> set[str]:
    """Inodes of guests' memory."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split()[4] for line in lines if "weir-memory-" in line}


def shared(one: int, other: int) -> Iterator[str]:
    """Files that two processes have open by one description."""
    for ours, theirs in itertools.product(numbers(one), numbers(other)):
        with suppress(OSError):  # closed meanwhile
            if system.call(KCMP, one, other, KCMP_FILE, ours, theirs) == 0:
                yield str(Path(f"/proc/{one}/fd/{ours}").readlink())


def numbers(pid: int) -> list[int]:
    return [int(fd.name) for fd in descriptors(pid)]


def test_a_fork_reaches_no_other_runs_folder(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    """Its guest's root mounts what it likes; the zygote may write to both folders."""
    other = tmp_path / "other"
    other.mkdir()
    other.joinpath("secret").write_text("another team's")
    own = tmp_path / "own"
    tries = f"""
    mkdir /run/own /run/other
    mount -t hostfs none /run/own -o {own} && touch /run/own/made && echo own folder written
    mount -t hostfs none /run/other -o {other}
    cat /run/other/secret || echo not read; touch /run/other/made || echo not written
    ls /run/other && echo listed; rm -f /run/other/secret; echo tried
    """
    said = said_by(tries, kernel(), short, own, zygote)
    assert "own folder written" in said and (own / "made").exists()
    assert "not read" in said and "not written" in said and "tried" in said
    assert "another team" not in said
    assert [path.name for path in other.iterdir()] == ["secret"]


def test_a_fork_moves_itself_to_its_runs_control_group(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    """A file stands in for the group's cgroup.procs; only who is trusted may open it."""
    procs = tmp_path / "cgroup.procs"
    with procs.open("wb", buffering=0) as opened:
        said = said_by(LOOK, kernel(), short, tmp_path / "run", zygote, opened.fileno())
    assert "END" in said
    assert procs.read_text() == "0"


def test_a_killed_fork_is_told_and_its_zygote_forks_the_next(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    killing = threading.Thread(target=lambda: os.kill(fork_of(zygote), signal.SIGKILL))
    killing.start()
    with pytest.raises(KernelKilled, match="killed by SIGKILL"):
        said_by("sleep 1000000", kernel(), short, tmp_path / "killed", zygote)
    killing.join()
    assert "END" in said_by(LOOK, kernel(), short, tmp_path / "next", zygote)


def test_a_run_that_meets_a_dead_zygote_is_told(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    os.kill(zygote.pid, signal.SIGKILL)
    with pytest.raises(NotForked, match="the lab kernel that forks runs has ended"):
        said_by(LOOK, kernel(), short, tmp_path / "run", zygote)


def test_a_zygote_without_memory_for_a_fork_is_told(
    short: Experiment, zygote: Zygote, tmp_path: Path
) -> None:
    """The folder that the memory's file is made in is not there."""
    said_by(LOOK, kernel(), short, tmp_path / "first", zygote)
    (memory,) = memory_of(zygote.pid)
    kept = memory.readlink().parent
    moved = kept.rename(kept.with_name(f"{kept.name}-moved"))
    try:
        with pytest.raises(NotForked, match="no file could be made for its guest's memory"):
            said_by(LOOK, kernel(), short, tmp_path / "run", zygote)
    finally:
        moved.rename(kept)
    assert "END" in said_by(LOOK, kernel(), short, tmp_path / "next", zygote)


def test_a_zygote_that_cannot_boot_says_why(short: Experiment, tmp_path: Path) -> None:
    path = tmp_path / "kernel.sh"
    path.write_text("#!/bin/sh\necho no kernel at all\n")
    path.chmod(0o755)
    broken = Kernel(path, "hash", "7.3", kernel().congestion_controls)
    folder = tmp_path / "run"
    folder.mkdir()
    with pytest.raises(RunFailure, match="has ended; it said: no kernel at all"):
        run_cell(short, 1, broken, folder, PATIENCE_S)


def test_many_runs_leave_nothing_behind(tmp_path: Path) -> None:
    """In the zygote: descriptors, processes, memory; here: descriptors."""
    asked = experiment({"duration_s": 1.0}, client())
    zygote = zygote_for(kernel(), asked, tmp_path)
    try:
        said_by("true", kernel(), asked, tmp_path / "first", zygote)
        # What a run was ordered by is closed before the next line is taken.
        assert settle(zygote.line())
        began = held(zygote)
        for number in range(50):
            said_by("true", kernel(), asked, tmp_path / f"run-{number}", zygote)
        until(lambda: held(zygote) == began, "what it held at the beginning")
    finally:
        zygote.close()


def held(zygote: Zygote) -> tuple[int, int, int, int]:
    """Descriptors, processes and MiB of guest memory of a zygote, descriptors here."""
    processes = [zygote.pid, *children(zygote.pid)]
    fds = sum(len(numbers(pid)) for pid in processes)
    taken = sum(path.stat().st_blocks * 512 for path in memory_of(zygote.pid))
    return fds, len(processes), taken >> 20, len(numbers(os.getpid()))
