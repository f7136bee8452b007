"""What each agent carries of a cell's plan. Pure: plain values that survive JSON."""

from __future__ import annotations

from weir import paths
from weir.errors import RunFailure
from weir.programs import is_outside
from weir.resolved import Client, Experiment

from weir_lab import multipath, plan, wiring
from weir_lab.browser_memory import film_mib
from weir_lab.guest.part import Part
from weir_lab.guest.plan import Lateness, Plan
from weir_lab.real.messages import CELL

DRAIN_S = 0.3
"""For what is on its way when an experiment ends, beside the longest path's RTT and the queue."""


def parts(experiment: Experiment, cell: Plan) -> dict[str, Part]:
    """Parts by agent, of a plan made for own kernels."""
    by_agent: dict[str, list[str]] = {}
    for host in cell["hosts"]:
        by_agent.setdefault(agent_of(host), []).append(host)
    ends = _links(experiment)
    return {
        agent: _part(experiment, cell, agent, hosts, ends[agent])
        for agent, hosts in by_agent.items()
    }


def whole(experiment: Experiment, cell: Plan) -> dict[str, Part]:
    """All of a plan as the part of one agent, whose lab kernel has the hosts and their links."""
    return {CELL: _part(experiment, cell, CELL, cell["hosts"], [])}


def _part(
    experiment: Experiment, cell: Plan, agent: str, hosts: list[str], ends: list[wiring.Link]
) -> Part:
    players = {wiring.client_host(k): one["player"] for k, one in _numbered(experiment)}
    recorded = experiment["record"]
    return {
        "host": agent,
        "hosts": hosts,
        "player": players.get(agent),
        "clients": len(experiment["clients"]),
        "film_mib": film_mib(experiment) if wiring.SERVER in hosts else 0,
        "kernel_sysctls": cell["kernel_sysctls"] + cell["run_sysctls"],
        "devices": _devices(ends),
        "links": ends,
        "groups": [group for group in cell["groups"] if group[0] in hosts],
        "roles": [
            *(role for role in cell["roles"] if role["host"] in hosts),
            _lateness(hosts[0], experiment),
        ],
        "drain_s": _drained_s(experiment, cell),
        "counted": [each for each in cell["counted"] if each["host"] in hosts],
        "mptcp_hosts": [host for host in cell["mptcp_hosts"] if host in hosts],
        "end_s": experiment["duration_s"],
        "record_tcp": wiring.SERVER in hosts and recorded["tcp"] != "off",
        "record_queue": wiring.GATEWAY in hosts and recorded["queue"] != "off",
    }


def agent_of(host: str) -> str:
    """Which agent carries a host: one has the gateways of all paths, each other one its own."""
    return wiring.GATEWAY if host.startswith(wiring.GATEWAY) else host


def _links(experiment: Experiment) -> dict[str, list[wiring.Link]]:
    """By agent, its ends of the cell's links in the order that its ports have."""
    found: dict[str, list[wiring.Link]] = {}
    for end in wiring.links(multipath.ways(experiment), len(paths.paths_of(experiment))):
        found.setdefault(agent_of(end["host"]), []).append(end)
    return found


def _devices(ends: list[wiring.Link]) -> list[str]:
    return [
        f"link set vec{number} netns {end['host']} name {end['device']} address {end['mac']}"
        for number, end in enumerate(ends)
    ]


def outside_hosts(experiment: Experiment) -> dict[str, int]:
    """Hosts of outside players, which are no lab kernels, and their clients' numbers."""
    return {
        wiring.client_host(number): number
        for number, client in _numbered(experiment)
        if is_outside(client["player"], experiment["clock"])
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


def _drained_s(experiment: Experiment, cell: Plan) -> float:
    rtts = [path["path"]["rtt"] for path in paths.paths_of(experiment)]
    longest_s = max(rtt["mean_s"] + 6 * rtt["stddev_s"] for rtt in rtts)
    return cell["drain_s"] - plan.SETTLE_S + DRAIN_S + longest_s


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
