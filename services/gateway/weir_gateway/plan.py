"""What the gateway of a cell needs: its tc commands and its role's arguments. Pure.

Queues stand on far egresses only: shaping a sender's own would let TCP small queues push back
on it.
"""

from __future__ import annotations

from typing import Any

from weir.resolved import Experiment

from weir_gateway import path, schedule, shaper
from weir_gateway.devices import EDGE, HOME, WAN

# TCP hands its own device segments in bundles, whatever its offloads; netem would delay and lose
# whole bundles.
ONE_BY_ONE = f"link set {EDGE} gso_max_segs 1"


def commands(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the gateway's host, in order."""
    gateway = experiment["gateway"]
    lines = []
    downlink, uplink = gateway["downlink"], gateway["uplink"]
    if downlink["rate_steps"] and downlink["queue"]:
        rate_bps = downlink["rate_steps"][0][1]
        lines += shaper.link(HOME, rate_bps, downlink["queue"], shaper.has_sessions(experiment))
    if uplink["rate_steps"] and uplink["queue"]:
        lines += shaper.link(WAN, uplink["rate_steps"][0][1], uplink["queue"], False)
    elif words := path.netem(experiment, "uplink"):
        lines.append(f"qdisc add dev {WAN} root handle 20: {words}")
    found: list[tuple[str, list[str]]] = [("sysctl", ["net.ipv4.ip_forward=1"])]
    return [*found, ("tc", lines)] if lines else found


def server_commands(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """The path's downlink direction."""
    words = path.netem(experiment, "downlink")
    if not words:
        return []
    return [
        ("ip", [ONE_BY_ONE]),
        ("tc", [f"qdisc add dev {EDGE} root handle 20: {words}"]),
    ]


def client_commands(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """The path's uplink direction, when the gateway's uplink itself is shaped."""
    words = path.netem(experiment, "uplink")
    if not words or path.host_of(experiment, "uplink") != "client":
        return []
    return [("tc", [f"qdisc add dev {EDGE} root handle 20: {words}"])]


def roles(experiment: Experiment) -> list[dict[str, Any]]:
    """[{host, module, args}]: what runs while the experiment does. The lab adds the times."""
    found: list[dict[str, Any]] = []
    clients = [f"client{k + 1}" for k in range(len(experiment["clients"]))]
    for kind, hosts in (("gateway", ["gateway"]), ("server", ["server"]), ("client", clients)):
        if timed := schedule.timed_commands(experiment, kind):
            args: dict[str, Any] = {"timed": timed}
            found += [
                {"host": host, "module": "weir_gateway.timed", "args": args} for host in hosts
            ]
    gateway = experiment["gateway"]
    if gateway["shaping"]["method"] != "none":
        args = {
            "method": gateway["shaping"]["method"],
            "headroom": gateway["shaping"]["headroom"],
            "bitrates_bps": experiment["content"]["bitrates_bps"],
            "rates": list(schedule.unrolled(gateway["downlink"], experiment["duration_s"])),
            "queue": gateway["downlink"]["queue"],
            "device": HOME,
        }
        found.append({"host": "gateway", "module": "weir_gateway.manager", "args": args})
    return found
