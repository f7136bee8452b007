"""The path between server and gateway: delay, jitter and loss by netem. Pure."""

from __future__ import annotations

from weir.resolved import Direction, Experiment

# Packets on the way; far above rate * RTT of any link that an experiment may ask for.
LIMIT_PACKETS = 100_000
# netem with a rate keeps packets in order; at this one it adds 12 us to a full frame.
ORDERED = " rate 1gbit"


def netem(experiment: Experiment, direction: Direction, loss: float | None = None) -> str | None:
    """netem's arguments for one direction; None when nothing happens there.

    loss: overrides the spec's random loss (a ratio) while an event lasts.
    """
    path = experiment["gateway"]["path"]
    lost = path["loss"][direction] if loss is None else loss
    share = _share(path["rtt"]["on"], direction)
    has_event = any(event["on"] == direction for event in experiment["events"])
    if not (share or lost or has_event):
        return None
    words = f"netem limit {LIMIT_PACKETS}"
    if share:
        words += _delay(experiment, share)
    return words + (f" loss {lost * 100:g}%" if lost else "")


def _share(on: str, direction: Direction) -> float:
    if on == "split":
        return 0.5
    return 1.0 if on == direction else 0.0


def _delay(experiment: Experiment, share: float) -> str:
    rtt = experiment["gateway"]["path"]["rtt"]
    # Two independent halves must add up to the asked variance.
    stddev_s = rtt["stddev_s"] * share**0.5
    words = f" delay {rtt['mean_s'] * share * 1e6:.0f}us"
    if stddev_s:
        words += f" {stddev_s * 1e6:.0f}us distribution {rtt['distribution']}"
    return words + (ORDERED if rtt["keep_order"] else "")
