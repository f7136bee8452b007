"""The path between server and gateway: delay, jitter and loss by netem. Pure."""

from __future__ import annotations

from weir.paths import traffic_on
from weir.resolved import Experiment
from weir.resolved_network import Direction, Rtt

from weir_gateway.devices import port

# Packets on the way; far above rate * RTT of any link that an experiment may ask for.
LIMIT_PACKETS = 100_000
# netem with a rate keeps packets in order; at this one it adds 12 us to a full frame.
ORDERED = " rate 1gbit"
# By distribution: netem's jitter argument over the standard deviation that it gives, and how far
# its mean lies below the asked delay, in jitters. Uniform is netem's way without a table, mean +-
# jitter; iproute2's Pareto tables end at 4 deviations, which cuts their long tails (0.8197 and
# 0.8339 are the deviations of what is left).
JITTERS = {
    "normal": (1.0, 0.0),
    "uniform": (3**0.5, 0.0),
    "pareto": (1 / 0.8197, 0.0335),
    "paretonormal": (1 / 0.8339, 0.0253),
}


def netem(
    experiment: Experiment,
    direction: Direction,
    loss: float | None = None,
    rtt_s: float | None = None,
) -> str | None:
    """netem's arguments for one direction; None when nothing happens there.

    loss, rtt_s: while an event lasts, in place of the spec's random loss (a ratio) and mean RTT.
    """
    path = experiment["gateway"]["path"]
    lost = path["loss"][direction] if loss is None else loss
    share = _share(path["rtt"]["on"], direction)
    follows = "conditions" in path and direction == "downlink"
    has_event = follows or any(event.get("on") == direction for event in experiment["events"])
    if not (share or lost or has_event):
        return None
    words = f"netem limit {LIMIT_PACKETS}"
    if share:
        words += _delay(path["rtt"], path["rtt"]["mean_s"] if rtt_s is None else rtt_s, share)
    return words + (f" loss {lost * 100:g}%" if lost else "")


def host_of(experiment: Experiment, direction: Direction) -> str:
    """Where a direction's netem stands: "server" (its egress orphans packets, so that TCP small
    queues see them as sent), "gateway", or each "client" when the gateway's uplink is shaped."""
    if direction == "downlink":
        return "server"
    return "client" if experiment["gateway"]["uplink"]["rate_steps"] else "gateway"


def added_rtts(experiment: Experiment, number: int) -> list[str]:
    """tc's lines for the ports, of this path's gateway, of flows with a longer round trip: a delay
    behind the bottleneck, which packets of all flows meet as one queue.
    """
    clients, flows = len(experiment["clients"]), experiment.get("traffic", [])
    added_s = {flow: flows[flow - 1].get("added_rtt_s") for flow in traffic_on(experiment, number)}
    return [
        f"qdisc add dev {port(clients + flow)} root handle 20: "
        f"netem limit {LIMIT_PACKETS} delay {each_s * 1e6:.0f}us"
        for flow, each_s in added_s.items()
        if each_s
    ]


def _share(on: str, direction: Direction) -> float:
    if on == "split":
        return 0.5
    return 1.0 if on == direction else 0.0


def _delay(rtt: Rtt, mean_s: float, share: float) -> str:
    # Two independent halves must add up to the asked variance.
    stddev_s = rtt["stddev_s"] * share**0.5
    per_stddev, below = JITTERS[rtt["distribution"]]
    jitter_s = stddev_s * per_stddev
    words = f" delay {(mean_s * share + below * jitter_s) * 1e6:.0f}us"
    if stddev_s:
        words += f" {jitter_s * 1e6:.0f}us"
        words += f" distribution {rtt['distribution']}" if rtt["distribution"] != "uniform" else ""
    return words + (ORDERED if rtt["keep_order"] else "")
