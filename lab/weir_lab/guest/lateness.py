"""Role: how late timers fire in this lab kernel while an experiment runs. Guest side."""

from __future__ import annotations

import time

from weir import plain_json

EVERY_S = 0.02


def run(epoch_s: float, end_s: float, out: str) -> None:
    """Sleep from one multiple of EVERY_S to the next; write how late (s) each woke to `out`."""
    late_s = []
    for number in range(int(end_s / EVERY_S)):
        due_s = epoch_s + number * EVERY_S
        if (wait_s := due_s - time.monotonic()) > 0:
            time.sleep(wait_s)
            late_s.append(time.monotonic() - due_s)
        else:
            late_s.append(-wait_s)
    plain_json.write(out, late_s)
