"""Cases in real lab kernels. Programs of the test's own stand in packetdrill's place, which Debian
does not have, nor the lab's own kernel the device that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_engine.kernel_tests import Outcome, carry_out
from weir_engine.kernel_tests.packetdrill import Suite, case, make_tools
from weir_lab import kernel as lab_kernel
from weir_lab.standstill import MOST_CPU_S
from weir_testing.patience import PATIENCE_S

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(lab_kernel.find() is None, reason="no lab kernel: weir kernel build"),
]


def outcome(
    folder: Path,
    program: str,
    *arguments: str,
    times: int = 1,
    standstill_cpu_s: float = MOST_CPU_S,
) -> list[Outcome]:
    """Of a Python program in packetdrill's place, so many times."""
    kernel = lab_kernel.find()
    assert kernel is not None
    given, scripts, tools = folder / "given", folder / "scripts", folder / "tools"
    given.write_text(f"#!/usr/bin/python3\n{program}\n")
    given.chmod(0o755)
    scripts.mkdir()
    (scripts / "tcp_x.pkt").write_text("0 socket(...) = 3\n")
    tools.mkdir()
    one = case("tcp_x/ipv4", (*arguments, "tcp_x.pkt"))
    make_tools(given, Suite(scripts, {}, (one,)), tools)
    return [*carry_out(kernel, tools, [one] * times, 1, PATIENCE_S, standstill_cpu_s)]


def test_it_stands_in_the_scripts_folder_with_devices_and_a_place_to_write(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "print(sys.argv[1:], open('tcp_x.pkt').read().strip())\n"
        "open('/tmp/left', 'w').close(); os.open('/dev/urandom', os.O_RDONLY); sys.exit(3)"
    )
    (one,) = outcome(tmp_path, program, "--ip_version=ipv4")
    assert one.ended == "failed"
    assert one.said == "['--ip_version=ipv4', 'tcp_x.pkt'] 0 socket(...) = 3"


def test_who_waits_for_the_kernels_tick_in_a_loop_gets_there(tmp_path: Path) -> None:
    program = "import os\nold = os.times()[4]\nwhile os.times()[4] == old: pass"
    first, second = outcome(tmp_path, program, times=2)
    assert first.ended == "passed", first.said
    assert 0 < first.took_ns < 1e9
    assert second == first, "to the nanosecond"


def test_a_program_that_spins_is_told(tmp_path: Path) -> None:
    (one,) = outcome(tmp_path, "sum(iter(int, 1))", standstill_cpu_s=1.0)
    assert one.ended == "failed"
    assert "the guest spins: " in one.said
