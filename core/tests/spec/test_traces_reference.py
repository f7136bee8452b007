"""Imported traces against replays written from the formats' definitions, not from our code."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.resolved_network import Link
from weir.spec import traces
from weir.spec.load import parse_campaign

MTU = 1500


def delivered(steps: list[list[float]], period_s: float, until_s: float) -> float:
    """Bytes that a link of these rates carries from 0 to until_s, starting over at period_s."""
    total = 0.0
    for at, rate in steps:
        end = min([step[0] for step in steps if step[0] > at], default=period_s)
        whole, rest = divmod(until_s, period_s)
        total += rate / 8 * (whole * (end - at) + max(0.0, min(end, rest) - at))
    return total


def opportunities(stamps: list[int], until_ms: int) -> int:
    """mm-link's rule: 1500 bytes may leave at each stamp; after the last, the trace begins again
    with its clock at the last stamp."""
    count = base = 0
    while True:
        for stamp in stamps:
            if base + stamp > until_ms:
                return count
            count += 1
        base += stamps[-1]


@given(
    st.lists(st.integers(1, 900), min_size=1, max_size=60).map(sorted),
    st.sampled_from([20, 50, 100]),
    st.integers(0, 3),
    st.integers(0, 9),
)
def test_mahimahi_delivers_what_a_replay_delivers(
    stamps: list[int], bin_ms: int, loops: int, bins: int
) -> None:
    steps, period_s = traces.mahimahi("\n".join(map(str, stamps)), bin_ms / 1000)
    # At the end of every bin, in every round, to the packet.
    at_ms = loops * stamps[-1] + min(bins * bin_ms, stamps[-1])
    replayed = opportunities(stamps, at_ms) * MTU if at_ms else 0
    assert delivered(steps, period_s, at_ms / 1000) == pytest.approx(replayed, rel=1e-6, abs=0.01)
    # And anywhere, to what one bin holds.
    most = max(rate for _, rate in steps) / 8 * bin_ms / 1000
    between_ms = at_ms + bin_ms // 2
    carried = delivered(steps, period_s, between_ms / 1000)
    assert abs(carried - opportunities(stamps, between_ms) * MTU) <= most * 2 + 0.01


def pensieve_downloads(rows: list[tuple[float, float]], chunks: list[int]) -> list[float]:
    """When each chunk is there, by the pointer walk of Pensieve's fixed_env.py: the bandwidth of
    row i (MB = 10^6 bytes) holds from the time of row i - 1 to its own; past the last row the walk
    is at row 1 again. (Its 5 % for headers is left out: in the lab packets have headers.)"""
    row, reached_s, now_s, times = 1, rows[0][0], 0.0, []
    for chunk in chunks:
        sent = 0.0
        while True:
            throughput = rows[row][1] * 1e6 / 8
            left_s = rows[row][0] - reached_s
            if throughput > 0 and sent + throughput * left_s > chunk:
                part_s = (chunk - sent) / throughput
                reached_s, now_s = reached_s + part_s, now_s + part_s
                break
            sent += throughput * left_s
            now_s, reached_s, row = now_s + left_s, rows[row][0], row + 1
            if row == len(rows):
                row, reached_s = 1, rows[0][0]
        times.append(now_s)
    return times


@pytest.mark.parametrize("seed", range(5))
def test_pensieve_downloads_as_its_simulator_does(seed: int) -> None:
    random = Random(seed).random
    at, rows = round(random() * 5, 2), []
    for _ in range(30):
        rows.append((at, 0.0 if random() < 0.2 else round(random() * 5, 3)))
        at = round(at + 0.2 + random(), 3)
    steps, period_s = traces.pensieve("\n".join(f"{t} {mbit}" for t, mbit in rows))
    chunks = [int(20_000 + random() * 2_000_000) for _ in range(40)]
    total, times = 0, pensieve_downloads(rows, chunks)
    assert times[-1] > 2 * period_s
    for chunk, time_s in zip(chunks, times, strict=True):
        total += chunk
        assert delivered(steps, period_s, time_s) == pytest.approx(total, rel=1e-6)


def problem_of(folder: Path, text: str, **rate: Any) -> Problem:
    (folder / "link.trace").write_text(text)
    with pytest.raises(SpecError) as refused:
        resolved(folder, **rate)
    (problem,) = refused.value.problems
    return problem


def resolved(folder: Path, **rate: Any) -> Link:
    document = {
        "name": "x",
        "experiment": {
            "duration": "60s",
            "content": {"ladder": ["100kbit/s"]},
            "gateway": {
                "downlink": {
                    "rate": {"trace": "link.trace", "format": "pensieve", **rate},
                    "queue": {"limit": "67packets"},
                }
            },
            "clients": [{"player": "bba2"}],
        },
    }
    campaign = parse_campaign(json.loads(json.dumps(document)), folder)
    return next(Expansion(campaign).runs()).experiment["gateway"]["downlink"]


def test_a_trace_that_sends_nothing_is_refused(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "0 0\n30 0\n90 0\n")
    assert problem.path == "experiment.gateway.downlink.rate.trace"
    assert problem.value == "link.trace" and "zero throughout" in problem.remedy
    assert "no lines" in problem_of(tmp_path, "", format="mahimahi").remedy


def test_a_trace_that_sends_nothing_while_the_run_lasts_is_refused(tmp_path: Path) -> None:
    problem = problem_of(tmp_path, "0 0\n90 0\n100 5\n")
    assert problem.path == "experiment.gateway.downlink.rate.trace"
    assert "zero" in problem.remedy and "60s" in problem.remedy


def test_a_short_trace_loops_or_is_refused(tmp_path: Path) -> None:
    short = "0 1\n10 2\n25 3\n"
    problem = problem_of(tmp_path, short, loop=False)
    assert (problem.path, problem.value) == ("experiment.gateway.downlink.rate.trace", "link.trace")
    assert problem.allowed == "a trace of 60s or more" and "loop to true" in problem.remedy
    (tmp_path / "link.trace").write_text(short)
    assert resolved(tmp_path)["rate_loop_s"] == 25.0
    (tmp_path / "link.trace").write_text("0 1\n60 2\n")
    assert resolved(tmp_path, loop=False)["rate_loop_s"] is None
