"""Role: apply timed tc and ip commands in one host while an experiment runs. Guest side."""

from __future__ import annotations

import os
import time

from weir import plain_json
from weir.waking import sleep_until

from weir_gateway.tc_process import TcProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir_gateway.schedule import Timed, TimedEvent


def run(timed: list[Timed], epoch_s: float, end_s: float, out: str) -> None:
    """Apply each entry's lines at its time; write what was done, and when, to `out`.

    An entry that names a device to count has that queue's counters taken before or after, so that
    what happened between two entries can be told. Entries after `end_s` are left out.
    """
    tc = TcProcess()
    events: list[TimedEvent] = []
    for entry in timed:
        if entry["at_s"] > end_s:
            break
        sleep_until(round((epoch_s + entry["at_s"]) * 1e9))
        event = entry["event"]
        if "count_before" in entry:
            event["counters"] = counters(entry["count_before"])
        if "program" in entry:
            from weir_gateway import ip_lines  # noqa: PLC0415 - few runs need it

            event["applied"] = ip_lines.apply(entry["lines"])
        else:
            event["applied"] = tc.apply(entry["lines"])
        event["t_s"] = time.monotonic() - epoch_s
        if "count_after" in entry:
            tc.finish()
            event["counters"] = counters(entry["count_after"])
        events.append(event)
    tc.close()
    plain_json.write(out, events)


def counters(device: str) -> str:
    """`tc -s -j qdisc show dev DEVICE`, as text. Of a discipline that tc does not know, without
    its options.
    """
    reading, writing = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, writing, 1)]
    command = ["tc", "-s", "-j", "qdisc", "show", "dev", device]
    pid = os.posix_spawn("/sbin/tc", command, {}, file_actions=actions)
    os.close(writing)
    with open(reading) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    # What tc says of options that it cannot read stands in the midst of its JSON.
    parts = text.split("[Unknown qdisc")
    return parts[0] + "".join(part.partition("]")[2] for part in parts[1:])
