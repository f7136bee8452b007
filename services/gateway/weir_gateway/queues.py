"""tc's words for each queue discipline. Pure.

Sources: tc-red(8), tc-sfq(8), tc-codel(8), tc-fq_codel(8), tc-pie(8), tc-dualpi2(8), tc-cake(8)
of iproute2, which name the papers and RFCs of each discipline.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weir.resolved_network import Queue

BY_RTNETLINK = frozenset({"dualpi2", "weight_exponent"})
"""Words of a line that no tc knows: a discipline newer than Debian's, options of the lab kernel."""
MTU_BYTES = 1500  # a limit in packets means packets of this size where tc counts bytes


def arguments(queue: Queue) -> str:
    """What follows `tc qdisc add dev DEV parent P handle H` for this queue."""
    return DISCIPLINES[queue["discipline"]](queue["limit_packets"], **queue["options"])


def by_program(lines: list[str]) -> list[tuple[str, list[str]]]:
    """tc lines in order, each run of them with what applies it: tc, or rtnetlink.py."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        program = "tc" if BY_RTNETLINK.isdisjoint(line.split()) else "rtnetlink"
        if not found or found[-1][0] != program:
            found.append((program, []))
        found[-1][1].append(line)
    return found


def _drop_tail(limit: int) -> str:
    return f"pfifo limit {limit}"


def _sfq(limit: int) -> str:
    return f"sfq limit {limit}"


def _red(
    limit: int,
    *,
    min_bytes: int,
    max_bytes: int,
    avpkt_bytes: int,
    burst_packets: int,
    probability: float,
    rate_bps: float,
    ecn: bool,
    weight_exponent: int | None = None,
    gentle: bool = False,
    idle_aged: bool = False,
) -> str:
    size = f"red limit {limit * MTU_BYTES} min {min_bytes} max {max_bytes}"
    said = f"probability {probability}" + (" ecn" if ecn else "")
    if weight_exponent is None:
        burst = f"avpkt {avpkt_bytes} burst {burst_packets} bandwidth {round(rate_bps)}bit"
        return f"{size} {burst} {said}"
    packet_ns = round(avpkt_bytes * 8e9 / rate_bps)
    return f"{size} weight_exponent {weight_exponent} {said}" + (
        (" gentle" if gentle else "") + (f" idle_packet_ns {packet_ns}" if idle_aged else "")
    )


def _ared(limit: int, **options: Any) -> str:
    return f"{_red(limit, **options)} adaptive"


def _codel(limit: int, **sojourn: Any) -> str:
    return f"codel limit {limit} {_sojourn(**sojourn)}"


def _fq_codel(limit: int, *, flows: int, ce_threshold_for: str = "any_ect", **sojourn: Any) -> str:
    # Of the ECN field's two bits, ECT(1) is 01.
    chosen = " ce_threshold_selector 0x1/0x3" if ce_threshold_for == "l4s_ect" else ""
    return f"fq_codel limit {limit} flows {flows} {_sojourn(**sojourn)}{chosen}"


def _sojourn(
    *, target_s: float, interval_s: float, ecn: bool, ce_threshold_s: float | None = None
) -> str:
    said = f"target {_us(target_s)} interval {_us(interval_s)}{_ecn(ecn)}"
    return said if ce_threshold_s is None else f"{said} ce_threshold {_us(ce_threshold_s)}"


def _pie(limit: int, *, target_s: float, tupdate_s: float, ecn: bool) -> str:
    return f"pie limit {limit} target {_us(target_s)} tupdate {_us(tupdate_s)}{_ecn(ecn)}"


def _dualpi2(
    limit: int,
    *,
    target_s: float,
    tupdate_s: float,
    alpha: float,
    beta: float,
    step_thresh_s: float,
    min_qlen_step: int,
    coupling_factor: int,
    drop_overload: bool,
    drop_early: bool,
    classic_protection: float,
    ecn: bool,  # for the hosts; the queue marks whoever allows it
    ecn_mask: str,
    split_gso: bool,
    memory_limit_bytes: int | None = None,
    step_packets: int | None = None,
) -> str:
    step = f"{step_packets}packets" if step_packets else _us(step_thresh_s)
    return (
        f"dualpi2 limit {limit} {f'memlimit {memory_limit_bytes} ' if memory_limit_bytes else ''}"
        f"target {_us(target_s)} tupdate {_us(tupdate_s)} alpha {alpha} beta {beta} "
        f"step_thresh {step} min_qlen_step {min_qlen_step} coupling_factor {coupling_factor} "
        f"{'drop_on_overload' if drop_overload else 'overflow'} "
        f"{'drop_enqueue' if drop_early else 'drop_dequeue'} {ecn_mask} "
        f"classic_protection {round(classic_protection * 100)}% "
        f"{'split_gso' if split_gso else 'no_split_gso'}"
    )


def _cake(limit: int) -> str:
    # Unlimited: the class above it holds the rate, as for every other discipline.
    return f"cake unlimited besteffort memlimit {limit * MTU_BYTES}"


def _ecn(on: bool) -> str:
    return " ecn" if on else " noecn"


def _us(seconds: float) -> str:
    return f"{round(seconds * 1e6)}us"


DISCIPLINES: dict[str, Callable[..., str]] = {
    "drop-tail": _drop_tail,
    "sfq": _sfq,
    "red": _red,
    "ared": _ared,
    "codel": _codel,
    "fq-codel": _fq_codel,
    "pie": _pie,
    "dualpi2": _dualpi2,
    "cake": _cake,
}
"""By the names of weir.spec.queues; options as those models resolve them."""
