"""A slow-start threshold inherited from an earlier connection, as Linux gives it. Pure.

Linux keeps ssthresh, RTT and more of a connection that ends, by its peer's address, and begins the
next one with them; net.ipv4.tcp_no_ssthresh_metrics_save, 1 by default since 5.6, leaves ssthresh
out (net/ipv4/tcp_metrics.c). A route may hold the value: `ssthresh lock 27`. The kernel takes it
into what it keeps of an address, so there has to have been a connection to it. The rest that it
would keep is locked at 0, which means not known: connections inherit this and nothing else.
"""

from __future__ import annotations

from weir.resolved import Experiment

from weir_lab import wiring
from weir_lab.guest.plan import WarmUp

__all__ = ["round_trips", "server_groups", "warm_ups"]

KEEP_METRICS = ("net.ipv4.tcp_no_metrics_save=0", "net.ipv4.tcp_no_ssthresh_metrics_save=0")
ROUND_TRIPS = 3  # SYN, and a FIN each way
NOT_KNOWN = "rtt lock 0 rttvar lock 0 reordering lock 0"


def server_groups(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the server's host; none where nothing is inherited."""
    segments = experiment["server"].get("initial_ssthresh_segments")
    if segments is None:
        return []
    route = f"route change default via {wiring.WAN_ADDRESS} ssthresh lock {segments} {NOT_KNOWN}"
    return [("sysctl", list(KEEP_METRICS)), ("ip", [route])]


def warm_ups(experiment: Experiment) -> list[WarmUp]:
    """A connection from each client; none where nothing is inherited."""
    if "initial_ssthresh_segments" not in experiment["server"]:
        return []
    return [
        {
            "host": wiring.client_host(number),
            "server": wiring.SERVER,
            "address": wiring.SERVER_ADDRESS,
        }
        for number in range(1, len(experiment["clients"]) + 1)
    ]


def round_trips(experiment: Experiment) -> int:
    """How many of them they take, one connection after the other."""
    return ROUND_TRIPS * len(warm_ups(experiment))
