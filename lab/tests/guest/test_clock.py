"""Clocks that a guest's programs read from a page: the same times as by system calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir_testing.cells import client, experiment, kernel
from weir_testing.forks import said_by

pytestmark = pytest.mark.kernel

READING_NS = 256
PROGRAM = """
python3 - <<END
import collections, ctypes, itertools, json, signal, time

libc = ctypes.CDLL(None)
spec = (ctypes.c_long * 2)()

def asked(clock=time.CLOCK_MONOTONIC):
    assert libc.syscall(228, clock, spec) == 0  # clock_gettime
    return spec[0] * 10**9 + spec[1]

def steps(times):
    return collections.Counter(b - a for a, b in itertools.pairwise(times))

def page():
    for line in open("/proc/self/maps"):
        if "[vvar]" in line:
            return (ctypes.c_longlong * 4).from_address(int(line.split("-")[0], 16))

came = []
signal.signal(signal.SIGALRM, lambda *_: came.append(time.monotonic_ns()))
said = {}
said["read"] = steps([time.monotonic_ns() for _ in range(20000)])
said["asked"] = steps([asked() for _ in range(20000)])
said["in turns"] = steps([clock() for _ in range(10000) for clock in (time.monotonic_ns, asked)])
clocks = {"realtime": 0, "raw": 4, "realtime coarse": 5, "monotonic coarse": 6, "boottime": 7}
said["apart"] = {name: asked(at) - time.clock_gettime_ns(at) for name, at in clocks.items()}
began = time.monotonic_ns()
signal.setitimer(signal.ITIMER_REAL, 0.005)
while not came:
    time.monotonic_ns()
said["alarm after"] = came.pop() - began
shared, before = page(), asked()
signal.setitimer(signal.ITIMER_REAL, 0.005)
for number in range(4):
    shared[number] = 2**62 - number
said["skipped"] = asked() - before
for number in range(4):
    shared[number] = -5
said["back"] = asked() - before
while not came:
    time.monotonic_ns()
said["second alarm after"] = came.pop() - before
print("SAID", json.dumps(said))
END
"""


def test_a_page_tells_what_the_kernel_tells_and_no_program_moves_time_past_what_is_due(
    tmp_path: Path,
) -> None:
    asked = experiment({"duration_s": 1.0}, client())
    lines = said_by(PROGRAM, kernel(), asked, tmp_path / "run").splitlines()
    (said,) = [json.loads(line.removeprefix("SAID ")) for line in lines if line.startswith("SAID ")]
    for how in ("read", "asked", "in turns"):
        # The tick, which comes once a millisecond, reads the clock, too.
        assert said[how].keys() == {str(READING_NS), str(2 * READING_NS)}, how
        assert said[how][str(2 * READING_NS)] in (5, 6), how
    assert said["apart"] == {
        "realtime": -READING_NS,
        "boottime": -READING_NS,
        "raw": -READING_NS,
        "monotonic coarse": 0,
        "realtime coarse": 0,
    }
    late_ns = 40 * READING_NS
    assert 5e6 <= said["alarm after"] <= 5e6 + late_ns
    # What a program has written into the page.
    assert 0 < said["skipped"] <= said["back"] < 5e6
    assert 5e6 <= said["second alarm after"] <= 5e6 + late_ns
