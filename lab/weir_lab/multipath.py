"""What clients with several addresses need, and what is measured per path. Pure."""

from __future__ import annotations

from weir import paths
from weir.resolved import Experiment
from weir.resolved_network import NamedPath
from weir_gateway import devices

from weir_lab import wiring
from weir_lab.guest.plan import Counter, Probe

__all__ = [
    "PATIENCE",
    "client_groups",
    "counters",
    "endpoints",
    "mptcp_hosts",
    "probe_s",
    "probes",
    "traffic_ways",
    "ways",
]


PATIENCE = 3
"""How much longer than it should take all of a path's echoes may take."""
BEFORE_EPOCH_S = 0.1


def probe_s(path: NamedPath, pause_s: float) -> float:
    """The longest that an echo and the pause after it should take on this path."""
    return paths.idle_rtt_s(path) + 6 * path["path"]["rtt"]["stddev_s"] + pause_s


def ways(experiment: Experiment) -> list[list[wiring.Way]]:
    """Of each client: its addresses in order, the first of which opens the connection."""
    found = []
    for client in experiment["clients"]:
        own: list[wiring.Way] = []
        for name in client.get("paths", [""]):
            path = paths.number_of(experiment, name)
            own.append((path, sum(at == path for at, _ in own)))
        found.append(own)
    return found


def traffic_ways(experiment: Experiment) -> list[list[wiring.Way]]:
    """Of each flow of other traffic: its end's one address."""
    flows = experiment.get("traffic", [])
    return [[(paths.number_of(experiment, flow.get("path", "")), 0)] for flow in flows]


def client_groups(experiment: Experiment, number: int) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in this client's host for MPTCP; none for TCP."""
    client = experiment["clients"][number - 1]
    if "transport" not in client:
        return []
    lines = [f"mptcp limits set subflows {wiring.MOST_SUBFLOWS} add_addr_accepted 0"]
    lines += [f"mptcp endpoint add {each}" for _, each in endpoints(experiment, number)]
    return [("sysctl", ["net.weir.mptcp_sockets=1"]), ("ip", lines)]


def endpoints(experiment: Experiment, number: int) -> list[tuple[int, str]]:
    """Of a client that speaks MPTCP: (path, what follows `ip mptcp endpoint add`) of each address.

    The address that opens the connection needs no endpoint, but where endpoints come and go with
    their carrier: then each has the number of its position, from 1.
    """
    client = experiment["clients"][number - 1]
    own = ways(experiment)[number - 1]
    named = any(paths.outages(experiment, path) for path, _ in own)
    found = []
    for position, (name, way) in enumerate(zip(client.get("paths", [""]), own, strict=True), 1):
        if position == 1 and not named:
            continue
        backup = " backup" if name in client.get("backup", []) else ""
        words = f"{wiring.client_address(number, way)} dev {devices.edge(way[0])}"
        found.append((way[0], f"{words}{f' id {position}' if named else ''} subflow{backup}"))
    return found


def server_groups(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the server's host for MPTCP; none for TCP."""
    if not any("transport" in client for client in experiment["clients"]):
        return []
    return [("ip", [f"mptcp limits set subflows {wiring.MOST_SUBFLOWS} add_addr_accepted 0"])]


def mptcp_hosts(experiment: Experiment) -> list[str]:
    """Those whose kernel counts of MPTCP are of interest: of clients that speak it."""
    return [
        wiring.client_host(number)
        for number, client in enumerate(experiment["clients"], 1)
        if "transport" in client
    ]


def probes(experiment: Experiment, count: int, pause_s: float, epoch_s: float) -> list[Probe]:
    """Of each path that a client has: from the first of them, with its address there.

    All are over before second 0, which is at epoch_s on the guest's clock, be answers lost or not.
    """
    found: list[Probe] = []
    until_s = epoch_s - BEFORE_EPOCH_S
    for path, each in reversed([*enumerate(paths.paths_of(experiment))]):
        for number in list(paths.clients_on(experiment, path))[:1]:
            one: Probe = {
                "host": wiring.client_host(number),
                "target": wiring.SERVER_ADDRESS,
                "count": count,
                "pause_s": pause_s,
                "until_s": until_s,
            }
            if paths.has_names(experiment):
                one["source"] = wiring.client_address(number, (path, 0))
                one["path"] = path
            found.append(one)
            until_s -= PATIENCE * count * probe_s(each, pause_s)
    return found[::-1]


def counters(experiment: Experiment) -> list[Counter]:
    """The bottleneck of each path, and then the upstream ones."""
    found: list[Counter] = [
        {"host": devices.host(path), "device": devices.home(path)}
        for path in range(len(paths.paths_of(experiment)))
    ]
    for path in paths.with_upstream(experiment):
        found.append({"host": devices.upstream_host(path), "device": devices.upstream(path)})
    return found
