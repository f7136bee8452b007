"""What the gateway of a cell needs: its tc commands and its role's arguments. Pure.

Queues stand on far egresses only: shaping a sender's own would let TCP small queues push back
on it.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from weir.paths import alone, clients_on, paths_of, traffic_on
from weir.resolved import Experiment
from weir.resolved_network import Queue

from weir_gateway import path, queues, schedule, shaper
from weir_gateway.devices import WAN, edge, home, host, upstream, upstream_host
from weir_gateway.schedule import Timed


class TimedArgs(TypedDict):
    """Of `weir_gateway.timed.run`."""

    timed: list[Timed]
    epoch_s: float
    end_s: float
    out: str


class TimedRole(TypedDict):
    """What changes the links of a host while the experiment runs."""

    host: str
    module: Literal["weir_gateway.timed"]
    args: TimedArgs
    awaited: bool


class ManagerArgs(TypedDict):
    """Of `weir_gateway.manager.run`. rates: (at_s, bit/s) of the downlink, the first at 0."""

    method: str
    headroom: float
    bitrates_bps: list[float]
    rates: list[tuple[float, float]]
    queue: Queue | None
    device: str
    epoch_s: float
    end_s: float
    out: str


class ManagerRole(TypedDict):
    """The bandwidth manager at the gateway."""

    host: str
    module: Literal["weir_gateway.manager"]
    args: ManagerArgs
    awaited: bool


def commands(experiment: Experiment, number: int = 0) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the host of this path's gateway, in order."""
    added = path.added_rtts(experiment, number)
    experiment = alone(experiment, number)
    gateway = experiment["gateway"]
    lines = []
    downlink, uplink, clock = gateway["downlink"], gateway["uplink"], experiment["clock"]
    if downlink["rate_steps"] and downlink["queue"]:
        rate_bps = downlink["rate_steps"][0][1]
        sessions = shaper.has_sessions(experiment)
        lines += shaper.link(home(number), rate_bps, downlink["queue"], sessions, clock)
    if uplink["rate_steps"] and uplink["queue"]:
        lines += shaper.link(WAN, uplink["rate_steps"][0][1], uplink["queue"], False, clock)
    elif words := path.netem(experiment, "uplink"):
        lines.append(f"qdisc add dev {WAN} root handle 20: {words}")
    lines += added
    found: list[tuple[str, list[str]]] = [("sysctl", ["net.ipv4.ip_forward=1"])]
    return [*found, *queues.by_program(lines)]


def upstream_commands(experiment: Experiment, number: int) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the host of this path's upstream."""
    found = paths_of(experiment)[number]["upstream"]
    link, lines = found["link"], list[str]()
    if link["rate_steps"] and link["queue"]:
        rate_bps = link["rate_steps"][0][1]
        lines += shaper.link(upstream(number), rate_bps, link["queue"], False)
    if found["rtt_s"]:
        delay = f"netem limit {path.LIMIT_PACKETS} delay {found['rtt_s'] * 1e6:.0f}us"
        lines.append(f"qdisc add dev {WAN} root handle 20: {delay}")
    forward: list[tuple[str, list[str]]] = [("sysctl", ["net.ipv4.ip_forward=1"])]
    return [*forward, *queues.by_program(lines)]


def server_commands(experiment: Experiment, number: int = 0) -> list[tuple[str, list[str]]]:
    """This path's downlink direction."""
    words = path.netem(alone(experiment, number), "downlink")
    if not words:
        return []
    # TCP hands its own device segments in bundles, whatever its offloads; netem would delay and
    # lose whole bundles.
    one_by_one = f"link set {edge(number)} gso_max_segs 1"
    return [
        ("ip", [one_by_one]),
        ("tc", [f"qdisc add dev {edge(number)} root handle 20: {words}"]),
    ]


def client_commands(experiment: Experiment, number: int = 0) -> list[tuple[str, list[str]]]:
    """This path's uplink direction, when the gateway's uplink itself is shaped."""
    experiment = alone(experiment, number)
    words = path.netem(experiment, "uplink")
    if not words or path.host_of(experiment, "uplink") != "client":
        return []
    return [("tc", [f"qdisc add dev {edge(number)} root handle 20: {words}"])]


def roles(experiment: Experiment, epoch_s: float, folder: str) -> list[TimedRole | ManagerRole]:
    """What runs while the experiment does. folder: where each leaves its events, on its host."""
    found: list[TimedRole | ManagerRole] = []
    for number in range(len(paths_of(experiment))):
        clients = [f"client{client}" for client in clients_on(experiment, number)]
        clients += [f"traffic{flow}" for flow in traffic_on(experiment, number)]
        one = alone(experiment, number)
        for kind, hosts in (
            ("gateway", [host(number)]),
            ("server", ["server"]),
            ("client", clients),
            ("upstream", [upstream_host(number)]),
        ):
            if timed := schedule.timed_commands(one, kind, number):
                found += [_timed(one, each, timed, number, epoch_s, folder) for each in hosts]
    if (method := experiment["gateway"]["shaping"]["method"]) != "none":
        found.append(_manager(experiment, method, epoch_s, folder))
    return found


def _timed(
    experiment: Experiment, host: str, timed: list[Timed], path: int, epoch_s: float, folder: str
) -> TimedRole:
    args: TimedArgs = {
        "timed": timed,
        "epoch_s": epoch_s,
        "end_s": experiment["duration_s"],
        "out": f"{folder}/events-{host}-timed{path or ''}",
    }
    return {"host": host, "module": "weir_gateway.timed", "args": args, "awaited": True}


def _manager(experiment: Experiment, method: str, epoch_s: float, folder: str) -> ManagerRole:
    downlink = experiment["gateway"]["downlink"]
    args: ManagerArgs = {
        "method": method,
        "headroom": experiment["gateway"]["shaping"]["headroom"],
        "bitrates_bps": experiment["content"]["bitrates_bps"],
        "rates": list(schedule.unrolled(downlink, experiment["duration_s"])),
        "queue": downlink["queue"],
        "device": home(0),
        "epoch_s": epoch_s,
        "end_s": experiment["duration_s"],
        "out": f"{folder}/events-gateway-manager",
    }
    return {"host": "gateway", "module": "weir_gateway.manager", "args": args, "awaited": True}
