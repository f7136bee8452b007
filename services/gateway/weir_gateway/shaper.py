"""The bottleneck: an HTB class at the link's rate with the experiment's queue below it. Pure."""

from __future__ import annotations

from weir.resolved import Clock, Experiment

from weir_gateway import queues

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weir.resolved_network import Queue

ROOT = "1:"
LINK = "1:1"
UNSHAPED = "1:2"
# What HTB may send at once: two frames, and at high rates what 1 ms carries; on the real clock what
# 2 ms carry, so that timers as late as checks.timer_lateness allows by default cost no rate.
FRAMES_BYTES = 3028
BURST_S = {"virtual": 0.001, "real": 0.002}
# HTB's round-robin share; it only silences the warning for rates far from its default.
QUANTUM_BYTES = 1514
FIRST_SESSION = 0x10  # class minors and queue handles of sessions count up from here
# Not less: HTB books a frame's time at the rate of its sending, so that after an outage at
# 1 kbit/s the link would stay silent for another 12 s. At this one a frame takes 0.19 s.
LOWEST_RATE_BPS = 64_000
LEAST_SURE_BPS = 1000  # HTB refuses a class that has nothing of its own


def has_sessions(experiment: Experiment) -> bool:
    """Whether sessions get classes of their own on the downlink (HTBM)."""
    return experiment["gateway"]["shaping"]["method"] == "htbm"


def link(
    device: str, rate_bps: float, queue: Queue, with_sessions: bool, clock: Clock = "virtual"
) -> list[str]:
    """tc lines for a link. with_sessions: leave room for one class per session (HTBM)."""
    leaf = UNSHAPED if with_sessions else LINK
    lines = [
        f"qdisc add dev {device} root handle {ROOT} htb default {leaf.split(':')[1]}",
        f"class add dev {device} parent {ROOT} classid {LINK} " + _rate(rate_bps, clock=clock),
    ]
    if with_sessions:
        lines.append(f"class add dev {device} parent {LINK} classid {leaf} {_left_over(rate_bps)}")
    lines.append(f"qdisc add dev {device} parent {leaf} handle 2: {queues.arguments(queue)}")
    return lines


def change_rate(
    device: str, rate_bps: float, with_sessions: bool, clock: Clock = "virtual"
) -> list[str]:
    """tc lines that give the link another rate."""
    rate = _rate(rate_bps, clock=clock)
    lines = [f"class change dev {device} parent {ROOT} classid {LINK} {rate}"]
    if with_sessions:
        lines.append(
            f"class change dev {device} parent {LINK} classid {UNSHAPED} {_left_over(rate_bps)}"
        )
    return lines


def burst_bytes(rate_bps: float, clock: Clock = "virtual") -> int:
    """What a class of this rate may send at once."""
    return max(FRAMES_BYTES, round(rate_bps / 8 * BURST_S[clock]))


def share_that_fits(rates_bps: list[float], link_bps: float) -> float:
    """Of these rates, what the link has for each at once: 1 where it carries all of them."""
    left_bps = max(link_bps, LOWEST_RATE_BPS) - LOWEST_RATE_BPS
    return min(1.0, left_bps / sum(rates_bps)) if rates_bps else 1.0


def open_session(
    device: str,
    number: int,
    address: str,
    port: int,
    rate_bps: float,
    queue: Queue,
    share: float = 1.0,
) -> list[str]:
    """tc lines for a session's own class, its queue and the filter that fills it.

    share: of its rate, what the link has for it whatever the others send.
    """
    minor = FIRST_SESSION + number
    return [
        f"class add dev {device} parent {LINK} classid 1:{minor:x} {_of_session(rate_bps, share)}",
        f"qdisc add dev {device} parent 1:{minor:x} handle {minor:x}: {queues.arguments(queue)}",
        f"filter add dev {device} parent {ROOT} protocol ip prio {minor} u32 match ip dst "
        f"{address}/32 match ip dport {port} 0xffff flowid 1:{minor:x}",
    ]


def change_session(device: str, number: int, rate_bps: float, share: float = 1.0) -> list[str]:
    """tc lines that give a session another rate."""
    minor = FIRST_SESSION + number
    rate = _of_session(rate_bps, share)
    return [f"class change dev {device} parent {LINK} classid 1:{minor:x} {rate}"]


def close_session(device: str, number: int, rate_bps: float) -> list[str]:
    """tc lines that take a session's filter away.

    Its class stays until its queue is empty, and has for that what the others leave of its rate.
    """
    minor = FIRST_SESSION + number
    return [
        f"filter del dev {device} parent {ROOT} prio {minor}",
        *change_session(device, number, rate_bps, share=0.0),
    ]


def _rate(rate_bps: float, sure_bps: float | None = None, clock: Clock = "virtual") -> str:
    """sure_bps: what of the rate is sent whatever the link's other classes send; all by default.

    HTB lets each class send at its own rate even where the sum is more than the link's (Linux 7.3,
    sch_htb.c), so that classes which may together ask for more have a lower one of their own, and
    borrow up to their ceiling.
    """
    rate_bps = max(rate_bps, LOWEST_RATE_BPS)
    burst = burst_bytes(rate_bps, clock)
    own = f"rate {round(rate_bps)}bit"
    if sure_bps is not None and sure_bps < rate_bps:
        own = f"rate {max(LEAST_SURE_BPS, round(sure_bps))}bit ceil {round(rate_bps)}bit"
    return f"htb {own} burst {burst} cburst {burst} quantum {QUANTUM_BYTES}"


def _of_session(rate_bps: float, share: float) -> str:
    rate_bps = max(rate_bps, LOWEST_RATE_BPS)
    return _rate(rate_bps, rate_bps * share)


def _left_over(rate_bps: float) -> str:
    """What is of no session has what sessions leave."""
    return _rate(rate_bps, LOWEST_RATE_BPS)
