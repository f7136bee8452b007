"""tc's words for each queue discipline. Pure.

Sources: tc-red(8), tc-sfq(8), tc-codel(8), tc-fq_codel(8), tc-pie(8), tc-cake(8) of
iproute2, which name the papers and RFCs of each discipline.
"""

from __future__ import annotations

from weir.resolved import Queue, QueueOptions

MTU_BYTES = 1500  # a limit in packets means packets of this size where tc counts bytes


def arguments(queue: Queue) -> str:
    """What follows `tc qdisc add dev DEV parent P handle H` for this queue."""
    return _DISCIPLINES[queue["discipline"]](queue["limit_packets"], queue["options"])


def _drop_tail(limit: int, options: QueueOptions) -> str:
    return f"pfifo limit {limit}"


def _sfq(limit: int, options: QueueOptions) -> str:
    return f"sfq limit {limit}"


def _red(limit: int, options: QueueOptions) -> str:
    words = (
        f"red limit {limit * MTU_BYTES} min {options['min_bytes']} max {options['max_bytes']} "
        f"avpkt {options['avpkt_bytes']} burst {options['burst_packets']} "
        f"bandwidth {round(options['rate_bps'])}bit probability {options['probability']}"
    )
    return words + _ecn(options, off="")


def _ared(limit: int, options: QueueOptions) -> str:
    return _red(limit, options) + " adaptive"


def _codel(limit: int, options: QueueOptions) -> str:
    return f"codel limit {limit}" + _sojourn(options) + _ecn(options, off=" noecn")


def _fq_codel(limit: int, options: QueueOptions) -> str:
    words = f"fq_codel limit {limit}"
    if flows := options.get("flows"):
        words += f" flows {flows}"
    return words + _sojourn(options) + _ecn(options, off=" noecn")


def _pie(limit: int, options: QueueOptions) -> str:
    words = f"pie limit {limit}"
    if target_s := options.get("target_s"):
        words += f" target {_us(target_s)}"
    if tupdate_s := options.get("tupdate_s"):
        words += f" tupdate {_us(tupdate_s)}"
    return words + _ecn(options, off=" noecn")


def _cake(limit: int, options: QueueOptions) -> str:
    # Unlimited: the class above it holds the rate, as for every other discipline.
    return f"cake unlimited besteffort memlimit {limit * MTU_BYTES}"


def _sojourn(options: QueueOptions) -> str:
    words = ""
    if target_s := options.get("target_s"):
        words += f" target {_us(target_s)}"
    if interval_s := options.get("interval_s"):
        words += f" interval {_us(interval_s)}"
    return words


def _ecn(options: QueueOptions, off: str) -> str:
    return " ecn" if options.get("ecn") else off


def _us(seconds: float) -> str:
    return f"{round(seconds * 1e6)}us"


_DISCIPLINES = {
    "drop-tail": _drop_tail,
    "sfq": _sfq,
    "red": _red,
    "ared": _ared,
    "codel": _codel,
    "fq-codel": _fq_codel,
    "pie": _pie,
    "cake": _cake,
}
