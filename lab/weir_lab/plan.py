"""The plan of a cell: what the guest is told to do. Pure, but for where packages are."""

from __future__ import annotations

import math
from collections.abc import Iterable

from weir.paths import paths_of, with_upstream
from weir.programs import in_browser, is_program, needs_chromium
from weir.records import Command
from weir.resolved import Experiment
from weir.resolved_network import Link, NamedPath
from weir_client import abr, web_player
from weir_client import plan as client
from weir_gateway import devices
from weir_gateway import plan as gateway
from weir_server import plan as server

from weir_lab import carrier, inherited, longer, multipath, packages, players, traffic, wiring
from weir_lab.guest.plan import Before, Plan, Probe, Role
from weir_lab.host_paths import of_one_length

OUT = "/mnt"
# A namespace may choose a congestion control only if the initial one lists it here.
ALLOWED = "net.ipv4.tcp_allowed_congestion_control"
# The guest's memory is small, and TCP's share of it smaller: without this, a dozen clients put
# TCP under memory pressure, which no host of a real cell would know.
# Players are nobody, who may not ask for more than this; the kernel doubles it.
RECEIVE_BUFFER = "net.core.rmem_max=4194304"
# For those who ask for none (other traffic, dash.js): what a machine of 2 GB and more lets grow.
# The guest's own limit, 1/128 of its memory, would bound a flow before a long queue does.
RECEIVE_WINDOWS = "net.ipv4.tcp_rmem=4096 131072 6291456"
# In one, nobody would be root, of little, but within reach of more of the kernel.
NO_USER_NAMESPACES = "user.max_user_namespaces=0"
# Chromium reserves a terabyte of addresses, and uses a few hundred megabytes.
RESERVES_AT_WILL = "vm.overcommit_memory=1"
NO_MEMORY_PRESSURE = "net.ipv4.tcp_mem=262144 262144 262144"
# Its neighbour discovery would meet the bottleneck at moments that are no part of the experiment.
NO_IPV6 = "net.ipv6.conf.all.disable_ipv6=1"
FRAME_BITS = 1514 * 8
SLOWEST_LINK_BPS = 64_000  # what the gateway's shaper goes down to
PROBES = 20
PROBE_PAUSE_S = 0.02
SETTLE_S = 3.0
# After the boot and the wiring, whose time differs by some clock readings from machine to machine:
# from here on it is the same.
FORK_S = 1.0
# What most runs import, with every shipped ABR. One that imports more does so itself.
IMPORTED = (
    "weir_server.role",
    "weir_gateway.timed",
    "weir_gateway.manager",
    "weir_client.role",
    "weir_client.player",
    "weir_client.abr.user",
    *(f"weir_client.abr.{module}" for module, _ in abr.REGISTRY.values()),
    "weir_client.traffic",
    "weir.plain_json",
)


def make(experiment: Experiment, seed: int, own_kernels: bool = False) -> Plan:
    """The whole cell in one lab kernel; or, to be split, with one for each host."""
    clients, ways = experiment["clients"], multipath.ways(experiment)
    paths = range(len(paths_of(experiment)))
    traffic_ways = multipath.traffic_ways(experiment)
    upstreams = with_upstream(experiment)
    hosts = wiring.hosts(len(clients), len(paths), len(traffic_ways), upstreams)
    groups: list[wiring.Group] = [(host, "sysctl", [NO_IPV6]) for host in hosts]
    groups += wiring.groups_of_ways(
        [*ways, *traffic_ways], len(paths), own_kernels, len(traffic_ways), upstreams
    )
    wired = len(groups)
    groups += [(wiring.SERVER, *group) for group in server.commands(experiment)]
    if not server.starts_plain(experiment):
        wired = len(groups)
    groups += [(wiring.SERVER, *group) for group in multipath.server_groups(experiment)]
    groups += [(wiring.SERVER, *group) for group in inherited.server_groups(experiment)]
    for path in paths:
        host = devices.host(path)
        groups += [(host, *group) for group in carrier.gateway_groups(experiment, path)]
        groups += [(host, *group) for group in gateway.commands(experiment, path)]
        groups += [(wiring.SERVER, *group) for group in gateway.server_commands(experiment, path)]
    for path in upstreams:
        host = devices.upstream_host(path)
        groups += [(host, *group) for group in gateway.upstream_commands(experiment, path)]
    for number, own in enumerate(ways, 1):
        host = wiring.client_host(number)
        groups += [(host, *group) for group in server.client_commands(experiment, number)]
        for path in sorted({path for path, _ in own}):
            groups += [(host, *group) for group in gateway.client_commands(experiment, path)]
        groups += [(host, *group) for group in multipath.client_groups(experiment, number)]
    for number, [(path, _)] in enumerate(traffic_ways, 1):
        host = wiring.traffic_host(number)
        groups += [(host, *group) for group in server.traffic_commands(experiment, number)]
        groups += [(host, *group) for group in gateway.client_commands(experiment, path)]
    epoch_s = _epoch_s(experiment)
    roles: list[Role] = [server.role(experiment, epoch_s)]
    roles += gateway.roles(experiment, epoch_s, OUT)
    kept = None if own_kernels else players.needed_by(experiment)
    for number, each in enumerate(clients, 1):
        given = (experiment, number, seed, wiring.SERVER_ADDRESS, epoch_s, OUT)
        itself = is_program(each) and not own_kernels
        roles.append(web_player.role(*given, players.native()) if itself else client.role(*given))
    roles += traffic.roles(experiment, seed, epoch_s, OUT)
    roles += carrier.roles(experiment, epoch_s, OUT)
    return {
        "packages": packages.folders(experiment["server"]["http_version"] == "2")
        | ({web_player.PLAYERS: of_one_length(kept)} if kept else {}),
        "kernel_sysctls": [
            NO_MEMORY_PRESSURE,
            RECEIVE_BUFFER,
            RECEIVE_WINDOWS,
            NO_USER_NAMESPACES,
            *([RESERVES_AT_WILL] if needs_chromium(experiment) else []),
        ],
        "run_sysctls": [f"{ALLOWED}={experiment['server']['congestion_control']} reno"],
        "hosts": hosts,
        "groups": groups,
        "wired": wired,
        "warm_ups": inherited.warm_ups(experiment),
        "roles": roles,
        "probes": _probes(experiment, epoch_s),
        "epoch_s": epoch_s,
        "drain_s": _drain_s(experiment),
        "counted": multipath.counters(experiment),
        "mptcp_hosts": multipath.mptcp_hosts(experiment),
        "ends_early": "ends" in experiment,
    }


def before(experiment: Experiment, cell: Plan) -> Before:
    """What of an experiment's plan a lab kernel does before it is forked."""
    http, live = experiment["server"], "live" in experiment["content"]
    stored = not any(map(in_browser, experiment["clients"]))
    # The server's settings name its congestion control where they come before it.
    allowed = [] if server.starts_plain(experiment) else cell["run_sysctls"]
    gateways = [host for host in cell["hosts"] if host.startswith(wiring.GATEWAY)]
    homes = [host for host in cell["hosts"] if host.startswith((wiring.CLIENT, wiring.TRAFFIC))]
    return {
        "packages": cell["packages"],
        "kernel_sysctls": cell["kernel_sysctls"] + allowed,
        "hosts": cell["hosts"],
        "groups": cell["groups"][: cell["wired"]],
        "modules": list(IMPORTED),
        "http": (http["http"], http["http_version"], stored, live),
        "waiting": gateways + homes,
        "tc": gateways,
        "fork_s": FORK_S,
    }


def mentioned_commands(plan: Plan) -> list[Command]:
    """The plan's commands one by one, as a person would type them in their host."""
    return [
        {"host": host, "program": program, "line": _spoken(program, line)}
        for host, program, lines in plan["groups"]
        for line in lines
    ]


def _spoken(program: str, line: str) -> str:
    if program == "module":
        control, option, value = line.replace("=", ".", 1).split(".", 2)
        return f"echo {value} > /sys/module/{control}/parameters/{option}"
    return f"{ {'sysctl': 'sysctl -w', 'rtnetlink': 'tc'}.get(program, program) } {line}"


def _epoch_s(experiment: Experiment) -> float:
    """Second 0 on the guest's clock: after set-up and the probes, on a whole second."""
    slowest_s = sum(multipath.probe_s(path, PROBE_PAUSE_S) for path in paths_of(experiment))
    round_trips = multipath.PATIENCE * PROBES + inherited.round_trips(experiment)
    longer_s = longer.took_s(experiment, PROBES, PROBE_PAUSE_S)
    return float(math.ceil(SETTLE_S + round_trips * slowest_s + longer_s))


def _probes(experiment: Experiment, epoch_s: float) -> list[Probe]:
    """Of the paths, then of flows with longer round trips."""
    until_s = epoch_s - longer.took_s(experiment, PROBES, PROBE_PAUSE_S)
    of_paths = multipath.probes(experiment, PROBES, PROBE_PAUSE_S, until_s)
    return of_paths + longer.probes(experiment, PROBES, PROBE_PAUSE_S, epoch_s)


def _drain_s(experiment: Experiment) -> float:
    """How long the bottleneck may take to empty once the clients are gone: tc's counters and the
    record can only be compared when no packet is on its way between the two."""
    return SETTLE_S + max(_emptied_s(experiment, path) for path in paths_of(experiment))


def _emptied_s(experiment: Experiment, path: NamedPath) -> float:
    shaped = experiment["gateway"]["shaping"]["method"] == "htbm"
    others_bps = experiment["content"]["bitrates_bps"] if shaped else []
    own_s = _link_emptied_s(path["downlink"], others_bps)
    return own_s + (_link_emptied_s(path["upstream"]["link"]) if "upstream" in path else 0.0)


def _link_emptied_s(link: Link, other_bps: Iterable[float] = ()) -> float:
    """At the lowest of its rates, and of others that its queue may be emptied at."""
    queue, steps = link["queue"], link["rate_steps"]
    if not (queue and steps):
        return 0.0
    lowest_bps = min(*(rate_bps for _, rate_bps in steps), *other_bps, math.inf)
    return queue["limit_packets"] * FRAME_BITS / max(lowest_bps, SLOWEST_LINK_BPS)
