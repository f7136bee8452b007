"""Did MPTCP happen as asked? From what each client's kernel has counted (net/mptcp/mib.c). Pure."""

from __future__ import annotations

from weir.records import Check, Command
from weir.resolved import Experiment

from weir_lab import wiring
from weir_lab.checks import check

FALLBACKS = (
    "MPCapableFallbackACK",
    "MPCapableFallbackSYNACK",
    "MPCapableSYNTXDrop",
    "MPCapableDataFallback",
    "MPFallbackTokenInit",
    "DSSCorruptionFallback",
    "DssFallback",
    "InfiniteMapTx",
    "InfiniteMapRx",
    "MD5SigFallback",
    "SimultConnectFallback",
)
"""Each a connection that went on as plain TCP."""


def checks(
    experiment: Experiment, counted: dict[str, dict[str, int]], applied: list[Command]
) -> list[Check]:
    """Of each client that speaks MPTCP: no connection fell back, and every address joined it.

    counted: by host. While an event lasts, connections may be without some of their addresses.
    """
    found = []
    for number, client in enumerate(experiment["clients"], 1):
        host = wiring.client_host(number)
        if host not in counted:
            continue
        has = counted[host]
        fallbacks = sum(has.get(name, 0) for name in FALLBACKS)
        found.append(
            check(f"mptcp_fallbacks_{host}", 0, has.get("MPCapableSYNTX", 0), fallbacks, 0,
                  fallbacks == 0)
        )  # fmt: skip
        connections = has.get("MPCapableSYNACKRX", 0)
        each = len(client.get("paths", [""])) - 1
        asked = each * (min(connections, 1) if experiment["events"] else connections)
        said = [one["line"] for one in applied
                if one["host"] == host and "mptcp endpoint add" in one["line"]]  # fmt: skip
        joined = has.get("MPJoinSynAckRx", 0)
        found.append(check(f"mptcp_subflows_{host}", asked, said, joined, 0, joined >= asked))
    return found
