"""One host's part of a cell's plan. Pure: plain values that survive JSON."""

from __future__ import annotations

from typing import Any

from weir.resolved import Experiment

from weir_lab import plan, wiring

Part = dict[str, Any]
# Its neighbour discovery would stand in the record of the bottleneck, at no certain time.
NO_IPV6 = "net.ipv6.conf.all.disable_ipv6=1"
DRAIN_S = 0.3
"""For what is on its way when an experiment ends, beside the path's RTT and the queue."""


def parts(experiment: Experiment, cell: plan.Plan) -> dict[str, Part]:
    """Parts by host, of a plan made for own kernels."""
    clients = len(experiment["clients"])
    rtt = experiment["gateway"]["path"]["rtt"]
    drain_s = cell["drain_s"] - plan.SETTLE_S + DRAIN_S + rtt["mean_s"] + 6 * rtt["stddev_s"]
    return {
        host: {
            "host": host,
            "clients": clients,
            "kernel_sysctls": cell["kernel_sysctls"],
            "devices": wiring.devices(host, clients),
            "peers": wiring.peers(host, clients),
            "groups": [
                (host, "sysctl", [NO_IPV6]),
                *(group for group in cell["groups"] if group[0] == host),
            ],
            "roles": [role for role in cell["roles"] if role["host"] == host]
            + [_lateness(host, experiment)],
            "drain_s": drain_s,
            "counted_device": cell["counted_device"] if host == wiring.GATEWAY else None,
            "end_s": experiment["duration_s"],
            "record_tcp": host == wiring.SERVER and experiment["record"]["tcp"] != "off",
            "record_queue": host == wiring.GATEWAY and experiment["record"]["queue"] != "off",
        }
        for host in cell["hosts"]
    }


def _lateness(host: str, experiment: Experiment) -> dict[str, Any]:
    args = {"epoch_s": 0.0, "end_s": experiment["duration_s"], "out": f"{plan.OUT}/lateness"}
    return {"host": host, "module": "weir_lab.guest.lateness", "args": args, "awaited": True}
