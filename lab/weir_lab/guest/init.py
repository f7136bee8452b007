"""First process of a lab kernel: mount what it needs, carry out what it was booted for, power off.

Started by boot.BOOTSTRAP with the argument OUT, the host folder that the plan is read from
and results are written to. Messages on standard output reach the host; a line
`FAILED ...` carries the reason for which a run cannot be used.
"""

from __future__ import annotations

import marshal
import os
import sys

from weir_lab.guest import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

OUT = "/mnt"


def main(carry_out: Callable[[Any], None]) -> None:
    """Mount what a cell needs, carry out the plan in the host folder, and power off."""
    print("BOOTED", flush=True)
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    system.wake_in_time()
    system.mount("proc", "/proc", "proc")
    system.mount("none", OUT, "hostfs", system.MS_NOATIME, sys.argv[1])
    with open(f"{OUT}/plan.marshal", "rb", buffering=0) as file:
        # Each read of a buffered file takes a lock, and that reads the clock.
        plan = marshal.loads(file.read())
    for name, folder in plan["packages"].items():
        at = f"{sys.path[0]}/{name}"
        if not os.path.exists(at):
            os.mkdir(at)
            system.mount("none", at, "hostfs", system.MS_NOATIME, folder)
    try:
        carry_out(plan)
    except Exception as error:
        import traceback

        traceback.print_exc(file=sys.stdout)
        print(f"FAILED {error}", flush=True)
    system.power_off()
