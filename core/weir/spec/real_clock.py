"""Rules for experiments on the real clock alone, where each host may have its own lab kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weir.errors import Problem
from weir.spec.experiment import Experiment

__all__ = ["MOST_LINKS", "broken_rules"]

MOST_LINKS: Final = 80
"""Of one lab kernel: each is a word of its command line, of which it takes 4,096 bytes."""


def broken_rules(experiment: Experiment) -> Iterator[Problem]:
    """Every one that the experiment breaks; paths are relative to the experiment."""
    if experiment.clock != "real":
        return
    if experiment.sessions is not None:
        yield Problem("sessions", "on the real clock", "on the virtual clock",
                      "set clock: virtual, or remove them")  # fmt: skip
    for at, path in experiment.gateway.every_path.items():
        if path.upstream is not None:
            yield Problem(f"{at}.upstream", "on the real clock", "on the virtual clock",
                          "set clock: virtual, or remove it")  # fmt: skip
    for name in ("tcp", "queue"):
        if getattr(experiment.record, name) == "per-second":
            yield Problem(f"record.{name}", "per-second", "full or off on the real clock",
                          "the second 0 of its hosts is no whole second of their lab kernels; set "
                          "clock: virtual, or full")  # fmt: skip
    if experiment.server.http_version == "2":
        yield Problem("server.http_version", "2", "1.1 on the real clock",
                      "its hosts have no library for HTTP/2; set clock: virtual")  # fmt: skip
    if (asked := experiment.server.initial_ssthresh) is not None:
        yield Problem("server.initial_ssthresh", asked, "null on the real clock",
                      "the connection that it is inherited from is made where all hosts share a "
                      "lab kernel; set clock: virtual")  # fmt: skip
    if (links := _links(experiment)) > MOST_LINKS:
        yield Problem("clients", f"{links} links at the gateway",
                      f"at most {MOST_LINKS} on the real clock",
                      "each path has one to the server and one to each client that uses it; use "
                      "fewer clients or paths")  # fmt: skip


def _links(experiment: Experiment) -> int:
    """Of the gateway's lab kernel, which has the gateways of all paths."""
    names = list(experiment.gateway.paths)
    of_clients = sum(each.count * max(1, len(set(each.uses(names)))) for each in experiment.clients)
    return max(1, len(names)) + of_clients
