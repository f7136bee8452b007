"""All metrics of a long run, also computed a second way."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
from weir.metrics import CATALOG, compute, lost_segments, marks, restart, validation, wire
from weir.rundir import (
    QUEUE,
    QUEUE_10MS,
    RETRANSMITS,
    TCP,
    RunData,
    as_columns,
)
from weir_testing.metrics import LADDER, experiment, flow, player


def long_run(seed: int = 5) -> RunData:
    """180 s, 2 clients, 60,000 ACKs, 120,000 packets."""
    draw = np.random.default_rng(seed)
    ns = 180 * 10**9
    packets, acks = 120_000, 60_000
    arrival = np.sort(draw.integers(0, ns, packets))
    queue = {
        "arrival_ns": arrival,
        "departure_ns": arrival + draw.integers(0, 10**8, packets),
        "fate": draw.random(packets) < 0.01,
        "reason": np.zeros(packets),
        "size": np.full(packets, 1514),
        "flow": draw.integers(0, 2, packets),
        "backlog": draw.integers(0, 67, packets),
        "seq": np.arange(packets, dtype=np.uint32) * 1448,
        "payload": np.full(packets, 1448),
    }
    tcp = {
        "t_ns": np.sort(draw.integers(0, ns, acks)),
        "flow": draw.integers(0, 2, acks),
        "cwnd": draw.integers(10, 60, acks),
        "ssthresh": np.repeat(draw.integers(10, 60, acks // 100), 100),
        "srtt_us": draw.integers(100_000, 110_000, acks),
        "rto_us": draw.integers(300_000, 600_000, acks),
        "rwnd": np.full(acks, 65535),
        "in_flight": draw.integers(0, 60, acks),
    }
    slots = np.arange(18_000)
    summary = {
        "t_ns": slots * 10**7,
        "sent_bytes": draw.integers(0, 10_000, len(slots)),
        "sent_packets": draw.integers(0, 8, len(slots)),
        "dropped": draw.integers(0, 2, len(slots)),
        "backlog_max": draw.integers(0, 67, len(slots)),
    }
    players = [player(draw.integers(0, 5, 90).tolist(), port=40000 + k) for k in range(2)]
    for rows in players:
        rows["stall_s"] = np.where(draw.random(90) < 0.05, draw.random(90), 0.0)
        rows["last_byte_s"] = rows["request_s"] + 1 + 0.99 * draw.random(90)
    return RunData(
        experiment([(0, None), (0, None)]),
        players,
        as_columns(TCP, tcp),
        as_columns(RETRANSMITS, {"t_ns": [1, 2], "flow": [0, 1], "seq": [0, 0]}),
        as_columns(QUEUE, queue),
        as_columns(QUEUE_10MS, summary),
        [flow(k, k + 1, 40000 + k) for k in (0, 1)],
    )


def test_catalogue_and_results_agree() -> None:
    got = compute(long_run())
    scopes = {
        scope: {k for k, v in CATALOG.items() if v.scope == scope} for scope in ("run", "client")
    }
    assert set(got["run"]) == scopes["run"]
    for entry in got["clients"]:
        assert set(entry) - {"client", "rank"} == scopes["client"]
    for name, info in CATALOG.items():
        assert info.name == name and info.source and info.title


def test_records_do_not_change_what_does_not_need_them() -> None:
    with_all = compute(long_run())
    bare = long_run()
    bare.tcp = bare.retransmits = bare.queue = bare.queue_10ms = None
    without = compute(bare)
    for full, less in zip(
        [with_all["run"], *with_all["clients"]], [without["run"], *without["clients"]], strict=True
    ):
        assert list(full) == list(less)
        gone = {name for name in full if less[name] is None and full[name] is not None}
        assert gone <= {
            "cng", "froff", "retransmits", "link_utilisation_percent", "path_throughput_bps",
            "loss_rate_percent", "rtt_inflation_percent", "queueing_delay_mean_s",
            "queueing_delay_p95_s", "drops_burst", "drops_ack_clocking", "drops_ack_trailing",
            *(info.name for family in (restart, validation, lost_segments, wire, marks)
              for info in family.INFO),
        }  # fmt: skip
        assert all(full[name] == less[name] for name in full if name not in gone)


def test_floats_have_nine_significant_digits() -> None:
    got = compute(long_run())
    for value in [*got["run"].values(), *got["clients"][0].values()]:
        assert value is None or float(f"{value:.9g}") == value


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python it takes; comprehensions count for each turn."""
    count = 0

    def follow(_frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        nonlocal count
        count += event == "line"
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def test_takes_no_line_of_python_for_a_packet_or_an_ack() -> None:
    """Lines go with segments, restarts and losses; a loop over rows would add ten thousands."""
    whole, half = long_run(), long_run()
    for name in ("queue", "tcp"):
        rows = getattr(half, name)
        setattr(half, name, {column: values[::2] for column, values in rows.items()})
    compute(half)  # imports what it needs
    saved = lines_run(lambda: compute(whole)) - lines_run(lambda: compute(half))
    assert saved < 60_000 / 20


def test_a_whole_run_in_plain_python() -> None:  # noqa: PLR0915
    """The same formulas written as loops over rows, sharing no code with the metrics."""
    data = long_run(seed=11)
    got = compute(data)
    assert data.tcp and data.queue and data.queue_10ms

    def quality(k: int, t: int) -> int:
        level = int(data.players[k]["level"][0])
        for request, asked in zip(
            data.players[k]["request_s"], data.players[k]["level"], strict=True
        ):
            if request <= t:
                level = int(asked)
        return level

    sampled = [[quality(k, t) for t in range(181)] for k in (0, 1)]
    mean = [sum(LADDER[level] for level in sampled[k][:180]) for k in (0, 1)]
    better = 0 if mean[0] >= mean[1] else 1
    for k in (0, 1):
        entry, rows = got["clients"][k], data.players[k]
        optimum = 4 if k == better else 3
        assert entry["rank"] == (1 if k == better else 2)
        wrong = sum(sampled[k][i] != optimum for i in range(180))
        assert entry["infidelity_percent"] == pytest.approx(100 * wrong / 180)
        q = [LADDER[level] for level in sampled[k]]
        top = sum(abs(q[180 - i] - q[180 - i - 1]) * (180 - i) for i in range(180))
        bottom = sum(q[180 - i] * (180 - i) for i in range(1, 181))
        assert entry["instability_percent"] == pytest.approx(100 * top / bottom)
        falls, before = 0, None
        known: list[tuple[float, float]] = []
        for t, whose, threshold, rto_us in zip(
            *(data.tcp[c].tolist() for c in ("t_ns", "flow", "ssthresh", "rto_us")), strict=True
        ):
            if whose == k:
                falls += before is not None and threshold < before
                before = threshold
                known.append((t / 1e9, rto_us / 1e6))
        assert entry["cng"] == pytest.approx(100 * falls / 180)
        long_off = 0
        for i in range(89):
            off = rows["request_s"][i + 1]
            rto = [known_rto for t, known_rto in known if t <= off][-1]
            long_off += off - rows["last_byte_s"][i] > rto
        assert entry["froff"] == pytest.approx(long_off / 90)
        stalls = [s for s in rows["stall_s"].tolist() if s > 0.001]
        startup = rows["last_byte_s"][0]
        assert entry["rebuffer_ratio_percent"] == pytest.approx(100 * (sum(stalls) + startup) / 180)
        rates = rows["bitrate_bps"].tolist()
        steps = [abs(b - a) for a, b in itertools.pairwise(rates)]
        assert entry["oscillation_bps"] == pytest.approx(sum(steps) / 90)
        assert entry["arb_percent"] == pytest.approx(100 * sum(rates) / 90 / 4e6)
        expected = sum(rates) / 1e3 - sum(steps) / 1e3 - 3000 * (sum(stalls) + startup)
        assert entry["qoe_yin"] == pytest.approx(expected)
    used = [8 * sent / 80_000 for sent in data.queue_10ms["sent_bytes"].tolist()]
    assert got["run"]["link_utilisation_percent"] == pytest.approx(100 * sum(used) / 18_000)
    waits = sorted(
        (out - come) / 1e9
        for come, out, fate in zip(
            *(data.queue[c].tolist() for c in ("arrival_ns", "departure_ns", "fate")), strict=True
        )
        if fate == 0
    )
    assert got["run"]["queueing_delay_mean_s"] == pytest.approx(sum(waits) / len(waits))
    place = 0.95 * (len(waits) - 1)
    low = int(place)
    p95 = waits[low] + (place - low) * (waits[low + 1] - waits[low])
    assert got["run"]["queueing_delay_p95_s"] == pytest.approx(p95)
    dropped = int((data.queue["fate"] == 1).sum())
    phases = [value or 0 for name, value in got["run"].items() if name.startswith("drops_")]
    assert sum(phases) == dropped
