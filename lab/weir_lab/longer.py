"""Flows of other traffic whose round trip is longer than their path's: measured as that is. Pure.

One flow is probed for each length on a path.
"""

from __future__ import annotations

from weir.paths import alone, number_of, paths_of
from weir.records import Check, Command
from weir.resolved import Experiment
from weir_gateway import devices

from weir_lab import multipath, wiring
from weir_lab.checks import idle_rtt, of_path, of_port
from weir_lab.guest.plan import Plan, Probe

__all__ = ["added_s", "checks", "probes", "took_s"]


def added_s(experiment: Experiment) -> dict[int, float]:
    """Flow (1-based) -> what it adds to its path's round trip, of those that are probed."""
    found: dict[tuple[str, float], int] = {}
    for number, flow in enumerate(experiment.get("traffic", []), 1):
        if added := flow.get("added_rtt_s"):
            found.setdefault((flow.get("path", ""), added), number)
    return {number: added for (_, added), number in found.items()}


def took_s(experiment: Experiment, count: int, pause_s: float) -> float:
    """How long all of their echoes may take."""
    longest = multipath.PATIENCE * count
    return sum(longest * _probe_s(experiment, number, pause_s) for number in added_s(experiment))


def probes(experiment: Experiment, count: int, pause_s: float, until_s: float) -> list[Probe]:
    """From the ends at home of those flows; all are over before `until_s` on the guest's clock."""
    found: list[Probe] = []
    until_s -= multipath.BEFORE_EPOCH_S
    for number in reversed(added_s(experiment)):
        one: Probe = {
            "host": wiring.traffic_host(number),
            "target": wiring.SERVER_ADDRESS,
            "count": count,
            "pause_s": pause_s,
            "until_s": until_s,
            "traffic": number,
        }
        found.append(one)
        until_s -= multipath.PATIENCE * count * _probe_s(experiment, number, pause_s)
    return found[::-1]


def checks(
    experiment: Experiment, cell: Plan, idle_rtts_s: list[list[float]], applied: list[Command]
) -> list[Check]:
    """As of the idle paths. idle_rtts_s: of each of the plan's probes."""
    found: list[Check] = []
    for probe, rtts_s in zip(cell["probes"], idle_rtts_s, strict=True):
        if "traffic" not in probe:
            continue
        flow = experiment["traffic"][probe["traffic"] - 1]
        number = number_of(experiment, flow.get("path", ""))
        port = f" dev {devices.port(len(experiment['clients']) + probe['traffic'])} "
        one = alone(experiment, number)
        said = of_path(one, number, applied)
        said = [line for line in said if not of_port(line) or port in line["line"]]
        name = f"idle_rtt_s_traffic_{probe['traffic']}"
        found.append(idle_rtt(one, rtts_s, said, name, flow["added_rtt_s"]))
    return found


def _probe_s(experiment: Experiment, number: int, pause_s: float) -> float:
    flow = experiment["traffic"][number - 1]
    path = paths_of(experiment)[number_of(experiment, flow.get("path", ""))]
    return multipath.probe_s(path, pause_s) + flow["added_rtt_s"]
