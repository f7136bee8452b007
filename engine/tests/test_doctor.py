"""What `weir doctor` finds on this machine."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from weir.spec.experiment import Checks
from weir_engine.doctor import Finding, findings
from weir_engine.real_clock import expected
from weir_testing.processes import children, command_line

HELD_UP_S = 0.03


def timers(folder: Path) -> Finding:
    return next(finding for finding in findings(folder) if finding.name == "timers")


def late_ms(told: str) -> float:
    found = re.match(r"99 of 100 fire within (\S+) ms", told)
    assert found is not None, told
    return float(found[1])


@contextmanager
def held_up(program: str) -> Iterator[None]:
    """While a child of this process runs that has `program` in its command, it is stopped for
    HELD_UP_S and left alone for as long, again and again."""
    over = threading.Event()

    def hold_up() -> None:
        while not over.is_set():
            for pid in children(os.getpid()):
                with suppress(OSError):
                    if program in command_line(pid):
                        os.kill(pid, signal.SIGSTOP)
                        time.sleep(HELD_UP_S)
                        os.kill(pid, signal.SIGCONT)
            time.sleep(HELD_UP_S)

    holding = threading.Thread(target=hold_up)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()


def test_it_says_how_late_timers_fire(tmp_path: Path) -> None:
    found = timers(tmp_path)
    assert 0 < late_ms(found.found) < 1e3
    in_time = late_ms(found.found) <= Checks().timer_lateness * 1e3
    assert found.level == ("ok" if in_time else "warning")


def test_late_timers_are_a_warning_with_a_remedy(tmp_path: Path) -> None:
    with held_up("timers.main"):
        found = timers(tmp_path)
    # Half of the time it was stopped, so that one of 100 woke as late as any.
    assert late_ms(found.found) > HELD_UP_S / 2 * 1e3
    assert found.level == "warning"
    assert "with priority" in found.remedy and "clock: real" in found.remedy


@pytest.mark.parametrize(("bound_s", "valid"), [(0.002, False), (0.004, True)])
def test_what_to_expect_is_by_the_runs_own_bound(bound_s: float, valid: bool) -> None:
    told = expected(0.003, bound_s)
    assert late_ms(told) == 3
    assert f"of {bound_s * 1e3:g} ms that are allowed" in told
    assert ("expect invalid runs" in told) is not valid
