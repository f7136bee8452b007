"""One host's part of a cell's plan. Pure: plain values that survive JSON."""

from __future__ import annotations

from weir.errors import RunFailure
from weir.resolved import OUTSIDE, Client, Experiment

from weir_lab import plan, wiring
from weir_lab.guest.plan import Lateness, Part, Plan

DRAIN_S = 0.3
"""For what is on its way when an experiment ends, beside the path's RTT and the queue."""


def parts(experiment: Experiment, cell: Plan) -> dict[str, Part]:
    """Parts by host, of a plan made for own kernels."""
    clients = len(experiment["clients"])
    players = {wiring.client_host(k): one["player"] for k, one in _numbered(experiment)}
    rtt = experiment["gateway"]["path"]["rtt"]
    drain_s = cell["drain_s"] - plan.SETTLE_S + DRAIN_S + rtt["mean_s"] + 6 * rtt["stddev_s"]
    return {
        host: {
            "host": host,
            "player": players.get(host),
            "clients": clients,
            "kernel_sysctls": cell["kernel_sysctls"],
            "devices": wiring.devices(host, clients),
            "links": wiring.device_names(host, clients),
            "peers": wiring.peers(host, clients),
            "groups": [group for group in cell["groups"] if group[0] == host],
            "roles": [
                *(role for role in cell["roles"] if role["host"] == host),
                _lateness(host, experiment),
            ],
            "drain_s": drain_s,
            "counted_device": _counted_device(cell, host),
            "end_s": experiment["duration_s"],
            "record_tcp": host == wiring.SERVER and experiment["record"]["tcp"] != "off",
            "record_queue": host == wiring.GATEWAY and experiment["record"]["queue"] != "off",
        }
        for host in cell["hosts"]
    }


def outside_hosts(experiment: Experiment) -> dict[str, int]:
    """Hosts of outside players, which are no lab kernels, and their clients' numbers."""
    return {
        wiring.client_host(number): number
        for number, client in _numbered(experiment)
        if client["player"] == OUTSIDE
    }


def _numbered(experiment: Experiment) -> list[tuple[int, Client]]:
    return list(enumerate(experiment["clients"], 1))


def with_outside(experiment: Experiment, cell: Plan) -> Plan:
    """The plan with outside players' hosts wired as such.

    Raises RunFailure where more is asked of one than to be wired.
    """
    hosts = outside_hosts(experiment)
    wired = wiring.groups(len(experiment["clients"]), own_kernels=True)
    groups = [group for group in cell["groups"] if group[0] not in hosts]
    for host, program, lines in cell["groups"]:
        known = (host, program, lines) in wired or lines == [plan.NO_IPV6]
        if host in hosts and not known:
            raise RunFailure(
                f"{host}: an outside player's host is not Weir's to set up, and this experiment "
                f"asks for `{program} {lines[0]}` there; ask for no ECN, and for no delay on an "
                "uplink with a rate"
            )
    return {**cell, "groups": groups + [wiring.outside(number) for number in hosts.values()]}


def _counted_device(cell: Plan, host: str) -> str | None:
    return next((each["device"] for each in cell["counted"] if each["host"] == host), None)


def _lateness(host: str, experiment: Experiment) -> Lateness:
    return {
        "host": host,
        "module": "weir_lab.guest.lateness",
        "args": {
            "epoch_s": 0.0,
            "end_s": experiment["duration_s"],
            "out": f"{plan.OUT}/lateness",
        },
        "awaited": True,
    }
