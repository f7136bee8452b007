"""Kselftests in real lab kernels: the kernel's own, and scripts of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from weir_engine.kernel_tests import Case, Outcome, carry_out
from weir_engine.kernel_tests.kselftests import chosen, make_tools
from weir_engine.kernel_tests.source import SELFTESTS, unpacked
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import cache
from weir_lab.standstill import MOST_CPU_S
from weir_testing.kernel_source import NEEDS_KERNEL_SOURCE
from weir_testing.patience import PATIENCE_S

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(lab_kernel.find() is None, reason="no lab kernel: weir kernel build"),
]


@pytest.fixture
def own_source() -> Iterator[Path]:
    """Of the lab kernel, unpacked where `weir kernel test` keeps it."""
    archive = cache.sources()[0]
    kept = cache.root() / "selftests" / archive.sha256[:16]
    with unpacked(archive.archive, kept) as folder:
        yield folder


def carried_out(tools: Path, *cases: Case, standstill_cpu_s: float = MOST_CPU_S) -> list[Outcome]:
    kernel = lab_kernel.find()
    assert kernel is not None
    return [*carry_out(kernel, tools, cases, 2, PATIENCE_S, standstill_cpu_s)]


def outcome(
    folder: Path, script: str, settings: str = "", standstill_cpu_s: float = MOST_CPU_S
) -> Outcome:
    """Of a shell script in a kernel source of its own."""
    at = folder / "source" / SELFTESTS / "net"
    at.mkdir(parents=True)
    (at / "x.sh").write_text(f"#!/bin/bash\n{script}\n")
    (at / "x.sh").chmod(0o755)
    if settings:
        (at / "settings").write_text(settings)
    (test,) = chosen(folder / "source", ["net/x.sh"])
    tools = folder / "tools"
    tools.mkdir()
    assert make_tools(folder / "source", [test], tools) == []
    (one,) = carried_out(tools, test.case, standstill_cpu_s=standstill_cpu_s)
    return one


@NEEDS_KERNEL_SOURCE
@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.long)])
def test_the_kernels_own_runs_alike_every_time(
    own_source: Path, tmp_path: Path, times: int
) -> None:
    (test,) = chosen(own_source, ["net/mptcp/simult_flows.sh"])
    assert make_tools(own_source, [test], tmp_path) == []
    first, *others = carried_out(tmp_path, *[test.case] * times)
    assert first.ended == "passed", first.said
    assert first.said.count("\nok ") == 10
    # Ten transfers that take 7 s and more at 20 Mbit/s.
    assert 70e9 < first.took_ns < 200e9
    assert all(each == first for each in others), "to the nanosecond, and in each word"


@NEEDS_KERNEL_SOURCE
def test_one_that_is_a_program(own_source: Path, tmp_path: Path) -> None:
    (test,) = chosen(own_source, ["net/bind_timewait"])
    assert make_tools(own_source, [test], tmp_path) == []
    (one,) = carried_out(tmp_path, test.case)
    assert one.ended == "passed", one.said
    assert "bind_timewait" in one.said


def test_it_is_skipped_by_its_exit_status(tmp_path: Path) -> None:
    one = outcome(tmp_path, "echo no such feature; exit 4")
    assert (one.ended, one.said) == ("skipped", "no such feature")


def test_it_finds_what_a_machine_has_and_can_write_to_tmp_alone(tmp_path: Path) -> None:
    script = """\
set -e
cat <(echo substituted) | tee /tmp/kept
ip link show lo | grep -o 'LOOPBACK,UP'
ls -d /sys/class/net/lo
ip netns add one; ip netns exec one cat /sys/class/net/lo/ifindex
( sleep 1 & echo $! >/tmp/pid ); sleep 2; test ! -e /proc/$(cat /tmp/pid); echo reaped
for at in . /etc /usr /; do ! touch $at/written 2>/dev/null; done
"""
    one = outcome(tmp_path, script)
    assert one.ended == "passed", one.said
    assert one.said.split() == ["substituted", "LOOPBACK,UP", "/sys/class/net/lo", "1", "reaped"]
    assert 2e9 < one.took_ns < 3e9


def test_its_time_is_limited_by_the_virtual_clock(tmp_path: Path) -> None:
    one = outcome(tmp_path, "echo begun; sleep 100000; echo never", settings="timeout=50000\n")
    assert one.ended == "failed"
    assert one.said.splitlines() == [
        "begun",
        "no end within 50000 s, which its folder's settings allow",
    ]
    assert 50000e9 <= one.took_ns < 50001e9


def test_one_that_spins_is_told_with_what_it_said(tmp_path: Path) -> None:
    one = outcome(tmp_path, "echo begun; while :; do :; done", standstill_cpu_s=1.0)
    assert one.ended == "failed"
    assert one.said.startswith("the guest spins: x.sh took")
    assert one.said.endswith("\nbegun")
