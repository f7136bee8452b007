"""How much a run can record at most: whoever asks for more than memory holds is told before.

The recorder writes a record per packet at the bottleneck and per ACK, or by the second: one per
flow at either place, and one per bottleneck and 10 ms. The worker holds them all while it makes
tables of them, at less than twice their size (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from weir import resolved
from weir.errors import Problem
from weir.paths import paths_of, with_upstream
from weir.recording import sums_packets
from weir.spec import traces
from weir.units import PACKET_BYTES

__all__ = ["MOST_BYTES", "most_bytes", "too_much"]

MOST_BYTES = 1_000_000_000
_RECORD_BYTES = 48
_BINS_PER_S = 100
_OVERHEAD = 1.15
"""Headers and retransmissions on top of the segments."""


def most_bytes(experiment: resolved.Experiment) -> float:
    """Bytes of the record if every client streamed the highest level, or the link were full.

    An ACK per packet is counted, the most that a receiver sends.
    """
    record = experiment["record"]
    bottlenecks = 2 if with_upstream(experiment) else 1
    of_packets = record["queue"] != "off" and not sums_packets(experiment)
    kinds = bottlenecks * of_packets + (record["tcp"] == "full")
    end_s = experiment["duration_s"]
    links = [path["downlink"] for path in paths_of(experiment)]
    carried = end_s * sum(
        traces.mean_rate(link["rate_steps"], link["rate_loop_s"] or end_s) for link in links
    )
    top_bps = max(experiment["content"]["bitrates_bps"])
    media_s = sum(
        (end_s if client["stop_s"] is None else client["stop_s"])
        - client["start_s"]
        + client["buffer_s"]
        for client in experiment["clients"]
    )
    bits = min(carried, _OVERHEAD * media_s * top_bps)
    packets = kinds * bits / 8 / PACKET_BYTES
    return _RECORD_BYTES * (packets + _of_seconds(experiment))


def _of_seconds(experiment: resolved.Experiment) -> float:
    """Records of sums by the second, if every client had a connection on each path throughout."""
    record, paths = experiment["record"], len(paths_of(experiment))
    flows = paths * (len(experiment["clients"]) + len(experiment.get("traffic", [])))
    bottlenecks = paths + len(with_upstream(experiment))
    per_s = 0.0
    if record["tcp"] == "per-second":
        per_s += flows
    if sums_packets(experiment):
        per_s += flows * bottlenecks / paths + _BINS_PER_S * bottlenecks
    return per_s * experiment["duration_s"]


def too_much(experiment: resolved.Experiment) -> Iterator[Problem]:
    """A problem where the record could exceed MOST_BYTES."""
    most = most_bytes(experiment)
    if most > MOST_BYTES:
        record = experiment["record"]
        yield Problem(
            "record",
            f"tcp: {record['tcp']}, queue: {record['queue']}, up to {most / 1e9:.1f} GB",
            f"at most {MOST_BYTES / 1e9:g} GB per run",
            "set record: {tcp: per-second, queue: per-second} or both off, or lower duration or "
            "the number of clients",
        )
