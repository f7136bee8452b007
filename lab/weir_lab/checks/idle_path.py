"""The round trip of a path on which nothing else is. Pure."""

from __future__ import annotations

import math

from weir.paths import alone, has_names, idle_rtt_s, paths_of
from weir.records import Check, Command
from weir.resolved import Experiment
from weir_gateway import devices

from weir_lab.checks.row import check, lines

__all__ = ["idle_rtt", "idle_rtts", "named", "of_path", "of_port"]


def idle_rtts(
    experiment: Experiment,
    rtts_s: dict[int, list[float]],
    applied: list[Command],
    name: str = "idle_rtt_s",
) -> list[Check]:
    """Of each path that was probed: how long echo requests took while nothing else was on it."""
    checks: list[Check] = []
    for number in sorted(rtts_s):
        one = alone(experiment, number)
        said = [line for line in of_path(one, number, applied) if not of_port(line)]
        checks += named(one, [idle_rtt(one, rtts_s[number], said, name)])
    return checks


def idle_rtt(
    experiment: Experiment,
    rtts_s: list[float],
    applied: list[Command],
    name: str,
    added_s: float = 0.0,
) -> Check:
    """The mean of one path's, and what a flow's own end adds to it."""
    asked_s = idle_rtt_s(paths_of(experiment)[0]) + added_s
    rtt = experiment["gateway"]["path"]["rtt"]
    # The mean of n probes of a jittering path strays by 4 standard errors once in 16,000 runs.
    spread_s = 4 * rtt["stddev_s"] / math.sqrt(len(rtts_s) or 1)
    tolerance_s = experiment["checks"]["rtt_tolerance_s"] + spread_s
    mean_s = sum(rtts_s) / len(rtts_s) if rtts_s else math.nan
    measured = round(mean_s, 9) if rtts_s else None
    ok = abs(mean_s - asked_s) <= tolerance_s
    lossy = any(experiment["gateway"]["path"]["loss"].values())
    return check(
        name, asked_s, lines(applied, "netem"), measured, round(tolerance_s, 9),
        ok or (lossy and not rtts_s),
    )  # fmt: skip


def of_path(experiment: Experiment, number: int, applied: list[Command]) -> list[Command]:
    """What was applied at the path's gateway, or to another host's device on it."""
    if not has_names(experiment):
        return applied
    device = f"dev {devices.edge(number)} "
    hosts = devices.host(number), devices.upstream_host(number)
    return [one for one in applied if one["host"] in hosts or device in one["line"]]


def of_port(applied: Command) -> bool:
    """Whether it concerns one host at home alone."""
    return f" dev {devices.port(0)[:-1]}" in applied["line"]


def named(experiment: Experiment, checks: list[Check]) -> list[Check]:
    """A path's checks; their names end in its own, where paths are named."""
    path = experiment["gateway"].get("name")
    return [{**each, "name": f"{each['name']}_{path}"} for each in checks] if path else checks
