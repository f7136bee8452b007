"""Run-wide metrics, roles of clients, and a whole run computed a second way."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.metrics import CATALOG, compute
from weir.metrics.bitrate import share_bps
from weir.metrics.context import prepare
from weir.metrics.fairness import jain, unfairness_percent
from weir.metrics.link import Link
from weir.metrics.loss_phase import PHASES, phase_of_drops, phases
from weir.metrics.network import (
    loss_rate_percent,
    queueing_delay_s,
    rtt_inflation_percent,
    utilisation_percent,
)
from weir.metrics.session import sessions_of
from weir.rundir import (
    PLAYER,
    QUEUE,
    QUEUE_10MS,
    RETRANSMITS,
    TCP,
    RunData,
    as_columns,
    columns_of_rows,
)

LADDER = [248e3, 456e3, 928e3, 1632e3, 4256e3]


def experiment(spans: list[tuple[float, float | None]], duration: float = 180.0) -> dict[str, Any]:
    return {
        "duration_s": duration,
        "content": {"bitrates_bps": LADDER, "segment_s": 2.0, "segments": None},
        "gateway": {
            "downlink": {"rate_steps": [[0.0, 8e6]], "rate_loop_s": None},
            "path": {"rtt": {"mean_s": 0.1, "on": "uplink"}},
        },
        "clients": [{"start_s": start, "stop_s": stop} for start, stop in spans],
    }


def player(levels: list[int], start: float = 0.0, port: int = 40000) -> dict[str, Any]:
    """A segment every 2 s, requested at once."""
    n = len(levels)
    request = start + 2.0 * np.arange(n)
    rates = np.array(LADDER)[levels] if n else np.zeros(0)
    constant = {"buffer_before_s": 20.0, "buffer_after_s": 22.0, "stall_s": 0.0}
    columns = {name: np.full(n, value) for name, value in constant.items()}
    return as_columns(
        PLAYER,
        {
            **columns,
            "segment": np.arange(n),
            "level": levels,
            "bitrate_bps": rates,
            "size_bytes": rates / 4,
            "request_s": request,
            "first_byte_s": request + 0.1,
            "last_byte_s": request + 1.0,
            "raw_bps": rates,
            "estimate_bps": rates,
            "connection": np.full(n, port),
            "status": np.full(n, 206),
        },
    )


def test_rank_1_is_who_streams_higher_and_gets_the_higher_optimum() -> None:
    data = RunData(experiment([(0, None), (0, None)]), [player([3] * 90), player([4] * 90)])
    got = compute(data)["clients"]
    assert [entry["rank"] for entry in got] == [2, 1]
    assert [entry["infidelity_percent"] for entry in got] == [0, 0]
    assert [entry["convergence_s"] for entry in got] == [0, 0]


def test_ranks_tie_to_the_lower_number() -> None:
    data = RunData(experiment([(0, None), (0, None)]), [player([4] * 90), player([4] * 90)])
    got = compute(data)["clients"]
    assert [entry["rank"] for entry in got] == [1, 2]
    assert [entry["infidelity_percent"] for entry in got] == [0, 100]


def test_optimum_follows_clients_that_come_and_go() -> None:
    # client 2 plays from 30 s to 90 s at level 4; client 1 alone should be at 4, beside it at 3
    levels = [4] * 15 + [3] * 30 + [4] * 45
    spans: list[tuple[float, float | None]] = [(0.0, None), (30.0, 90.0)]
    data = RunData(experiment(spans), [player(levels), player([4] * 30, start=30.0)])
    first, second = compute(data)["clients"]
    assert (first["rank"], first["infidelity_percent"], first["play_s"]) == (2, 0, 180)
    assert (second["rank"], second["infidelity_percent"], second["play_s"]) == (1, 0, 60)
    wrong = RunData(experiment(spans), [player([4] * 90), player([4] * 30, start=30.0)])
    first, second = compute(wrong)["clients"]
    assert (first["rank"], first["infidelity_percent"]) == (1, 0)
    assert (second["infidelity_percent"], second["convergence_s"]) == (100, 60)


def test_share_of_a_client_counts_who_is_there() -> None:
    description = experiment([(0.0, None), (30.0, 90.0)], duration=120.0)
    sessions = sessions_of(description, [player([]), player([])])
    link = Link([[0.0, 8e6], [60.0, 4e6]], None)
    # client 1: 30 s of 8, 30 s of 4, 30 s of 2, 30 s of 4 Mbit/s -> 4.5; client 2: 4 and 2 -> 3
    assert share_bps(sessions[0], sessions, link) == pytest.approx(4.5e6)
    assert share_bps(sessions[1], sessions, link) == pytest.approx(3e6)


def test_link_loops() -> None:
    link = Link([[0.0, 1.0], [2.0, 3.0]], 3.0)
    at = np.array([0.0, 1.9, 2.0, 3.0, 5.5])
    assert link.rate_at(at).tolist() == [1, 1, 3, 1, 3]
    assert link.bits_until(at).tolist() == pytest.approx([0, 1.9, 2, 5, 5 + 2 + 1.5])


def bins(rows: list[tuple[int, int, int, int]]) -> dict[str, Any]:
    keys = ("t_ns", "sent_bytes", "sent_packets", "dropped")
    named = [{**dict(zip(keys, values, strict=True)), "backlog_max": 0} for values in rows]
    return columns_of_rows(QUEUE_10MS, named)


def test_utilisation_is_the_mean_of_10_ms_samples() -> None:
    # 1 Mbit/s carries 1250 bytes in 10 ms: 100 %, 50 %, 0 (no row), 0 -> 37.5; the row at 40 ms
    # lies outside
    record = bins([(0, 1250, 1, 0), (10_000_000, 625, 1, 1), (40_000_000, 1250, 2, 0)])
    assert utilisation_percent(record, Link([[0.0, 1e6]], None), 0.0, 0.04) == pytest.approx(37.5)
    dense = bins([(i * 10_000_000, 625, 1, 0) for i in range(100)])
    assert utilisation_percent(dense, Link([[0.0, 1e6]], None), 0.5, 1.0) == pytest.approx(50)
    # twice the rate in the second half, same bytes: (50 % + 25 %) / 2
    step = Link([[0.0, 1e6], [0.5, 2e6]], None)
    assert utilisation_percent(dense, step, 0.0, 1.0) == pytest.approx(37.5)
    assert loss_rate_percent(record) == 20.0  # 1 of 4 + 1
    assert loss_rate_percent(bins([])) is None


def packet(arrival_ms: float, departure_ms: float, fate: int = 0, seq: int = 0) -> dict[str, int]:
    return {
        "arrival_ns": round(arrival_ms * 1e6),
        "departure_ns": round(departure_ms * 1e6),
        "fate": fate,
        "reason": 0,
        "size": 1514,
        "flow": 0,
        "backlog": 0,
        "seq": seq % 2**32,
        "payload": 1000,
    }


def test_queueing_delay_is_of_packets_sent() -> None:
    # 10, 20, 30 ms; the dropped one and the one still queued do not count
    rows = [packet(0, 10), packet(1, 21), packet(2, 32), packet(3, 500, 1), packet(4, -1, 2)]
    got = queueing_delay_s(columns_of_rows(QUEUE, rows))
    # 95th percentile of three: position 0.95 * 2 = 1.9 -> 20 + 0.9 * 10
    assert got is not None
    assert list(got) == pytest.approx([0.02, 0.029])
    assert queueing_delay_s(columns_of_rows(QUEUE, [])) is None


def test_rtt_inflation() -> None:
    columns = {name: [0, 0, 0] for name in TCP.names}
    acks = as_columns(TCP, {**columns, "srtt_us": [0, 100_000, 150_000]})
    assert rtt_inflation_percent(acks, 0.1) == pytest.approx(125)  # 0: no sample yet
    assert rtt_inflation_percent(acks, 0.0) is None


@pytest.mark.parametrize("base", [0, 2**32 - 2500])
def test_phase_of_each_drop(base: int) -> None:
    """Requests at 0 and 1 s, RTT 100 ms; first packets leave at 60 and 1060 ms."""
    rows = [
        packet(50, 60, 0, base),
        packet(51, 51, 1, base + 1000),  # burst
        packet(160, 160, 1, base + 2000),  # burst: 60 + 100 ms is the edge
        packet(170, 170, 1, base + 3000),  # ACK-clocking
        packet(200, 200, 1, base + 1000),  # ACK-clocking: a retransmission amid new data
        packet(300, 310, 0, base + 4000),
        packet(400, 400, 1, base + 3000),  # ACK-trailing
        packet(500, 510, 0, base + 3000),
        packet(1050, 1060, 0, base + 5000),
        packet(1055, 1055, 1, base + 3000),  # trailing: it carries segment 1's bytes
        packet(1070, 1070, 1, base + 6000),  # burst of segment 2
    ]
    asked = columns_of_rows(QUEUE, rows), np.array([0.0, 1.0]), np.array([True, True]), 0.1, 0.0
    assert phases(*asked) == (3, 2, 2)
    burst, clocking, trailing = range(len(PHASES))
    in_order = [burst, burst, clocking, clocking, trailing, trailing, burst]
    assert phase_of_drops(*asked).tolist() == in_order
    assert phases(asked[0], np.zeros(0), np.zeros(0, dtype=bool), 0.1, 0.0) == (0, 0, 0)


def test_an_unfinished_transfer_has_no_trailing_phase() -> None:
    rows = [
        packet(50, 60, 0, 0),
        packet(1050, 1060, 0, 1000),  # of the second segment, which never came whole
        packet(1500, 1500, 1, 1000),
    ]
    requests = np.array([0.0, 1.0])
    got = phases(columns_of_rows(QUEUE, rows), requests, np.array([True, False]), 0.1, 0)
    assert got == (0, 1, 0)


@pytest.mark.parametrize(
    ("ahead_s", "expected"), [(0.0, (1, 4, 1)), (0.05, (1, 3, 2)), (0.1, (1, 2, 3))]
)
def test_the_server_is_done_before_its_last_bytes_reach_the_bottleneck(
    ahead_s: float, expected: tuple[int, int, int]
) -> None:
    """New data comes until 400 ms; with 50 ms of the way ahead the server was done at 350 ms."""
    rows = [
        packet(100, 110, 0, 0),
        packet(130, 130, 1, 1000),  # burst
        packet(290, 290, 1, 2000),  # ACK-clocking in any case: a retransmission
        packet(310, 310, 1, 3000),  # ACK-trailing if done at 300 ms
        packet(320, 320, 0, 4000),
        packet(360, 360, 1, 5000),  # ACK-trailing if done at 350 ms
        packet(280, 280, 1, 2000),  # ACK-clocking in any case
        packet(400, 400, 0, 6000),
        packet(450, 450, 1, 3000),  # ACK-trailing in any case
    ]
    rows.sort(key=lambda row: row["arrival_ns"])
    columns = columns_of_rows(QUEUE, rows)
    assert phases(columns, np.array([0.0]), np.array([True]), 0.1, ahead_s) == expected


def test_a_drop_from_the_queues_head_counts_when_it_happens() -> None:
    """CoDel drops what has waited: here until the server had sent everything."""
    rows = [packet(50, 60), packet(300, 350, 0, 1000), packet(310, 420, 1, 2000)]
    rows.append(packet(400, 430, 0, 3000))
    early = [*rows[:2], packet(310, 390, 1, 2000), rows[3]]
    for packets, expected in ((rows, (0, 0, 1)), (early, (0, 1, 0))):
        columns = columns_of_rows(QUEUE, packets)
        assert phases(columns, np.array([0.0]), np.array([True]), 0.1, 0) == expected


def test_burst_is_the_first_window_even_when_nothing_follows() -> None:
    rows = [packet(50, 60), packet(51, 51, 1, 1000), packet(52, 70, 1, 2000)]
    columns = columns_of_rows(QUEUE, rows)
    assert phases(columns, np.array([0.0]), np.array([True]), 0.1, 0.1) == (2, 0, 0)


@pytest.mark.parametrize(("on", "ahead_s"), [("uplink", 0.0), ("split", 0.05), ("downlink", 0.1)])
def test_what_of_the_rtt_lies_ahead_of_the_bottleneck(on: str, ahead_s: float) -> None:
    asked = experiment([(0, None)])
    asked["gateway"]["path"]["rtt"]["on"] = on
    assert prepare(RunData(asked, [player([0])])).ahead_s == ahead_s


def test_fairness() -> None:
    assert unfairness_percent(np.array([25.0, 100.0, 50.0])) == 75
    assert unfairness_percent(np.array([25.0])) is None
    assert jain(np.array([1.0, 3.0])) == pytest.approx(16 / 20)
    assert jain(np.array([0.0, 0.0])) is None
    data = RunData(experiment([(0, None), (0, None)]), [player([4] * 90), player([1] * 90)])
    assert compute(data)["run"]["quality_unfairness_percent"] == 75  # 100 % - 25 %


@given(st.lists(st.floats(1e3, 1e8), min_size=2, max_size=32))
def test_jain_lies_between_one_nth_and_one(rates: list[float]) -> None:
    got = jain(np.array(rates))
    assert got is not None
    assert 1 / len(rates) - 1e-9 <= got <= 1 + 1e-9


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
        [{"flow": k, "client": k + 1, "local_port": 80, "remote_port": 40000 + k} for k in (0, 1)],
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
        }  # fmt: skip
        assert all(full[name] == less[name] for name in full if name not in gone)


def test_floats_have_nine_significant_digits() -> None:
    got = compute(long_run())
    for value in [*got["run"].values(), *got["clients"][0].values()]:
        assert value is None or float(f"{value:.9g}") == value


def test_is_fast_enough() -> None:
    data = long_run()
    compute(data)
    spent = []
    for _ in range(5):
        begin = time.process_time()
        compute(data)
        spent.append(time.process_time() - begin)
    assert min(spent) < 0.03


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
        for t, flow, threshold, rto_us in zip(
            *(data.tcp[c].tolist() for c in ("t_ns", "flow", "ssthresh", "rto_us")), strict=True
        ):
            if flow == k:
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
    assert sum(got["run"][name] for name in got["run"] if name.startswith("drops_")) == dropped


def test_every_metric_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/metrics.md").read_text()
    for info in CATALOG.values():
        row = (
            f"| `{info.name}` | {info.unit} | {info.better or ''} | {info.title} | {info.source} |"
        )
        assert row in page
