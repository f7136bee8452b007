"""The least rate of EDF, by hand and against packets that are really put in that order."""

from __future__ import annotations

import heapq
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weir.edf import Bound, Demand, least_rate, live, vod


def test_a_film_alone_needs_less_than_its_rate_when_it_may_be_sent_ahead() -> None:
    """100 s at 1 Mbit/s, all to be sent from 20 s before its begin: 100 Mbit in 120 s."""
    assert least_rate([vod(1e6, 100.0, 30.0, 20.0)]) == Bound(100e6 / 120, 10.0, 130.0)


def test_a_live_stream_needs_nearly_its_rate() -> None:
    """From 20 to 130 s, 100 Mbit: its first bit exists 10 s before its begin."""
    assert least_rate([live(1e6, 100.0, 30.0, 10.0)]).rate_bps == pytest.approx(100e6 / 110)


def test_two_films_of_the_papers_demonstration() -> None:
    """Stream 1: 1800 Mbit from 0 to 615 s; stream 2: 2500 Mbit from 100 to 615 s."""
    films = [vod(3e6, 600.0, 15.0, 15.0), vod(5e6, 500.0, 115.0, 15.0)]
    assert least_rate(films) == Bound(4300e6 / 615, 0.0, 615.0)


def test_what_is_urgent_sets_the_rate_and_what_has_time_does_not() -> None:
    urgent = Demand(8e6, (10.0, 10.0), (11.0, 11.0))
    patient = Demand(8e6, (0.0, 0.0), (100.0, 100.0))
    assert least_rate([urgent, patient]) == Bound(8e6, 10.0, 11.0)
    assert least_rate([urgent, urgent, patient]).rate_bps == 16e6


@pytest.mark.parametrize(
    "odd",
    [
        (0.0, (0.0, 0.0), (1.0, 1.0)),
        (1.0, (1.0, 1.0), (1.0, 2.0)),
        (1.0, (0.0, 3.0), (1.0, 2.0)),
        (1.0, (0.0, 0.0), (2.0, 1.0)),
    ],
)
def test_what_no_rate_can_meet_is_refused(odd: Any) -> None:
    with pytest.raises(ValueError, match="can be met at no rate"):
        Demand(*odd)
    with pytest.raises(ValueError, match="no demands"):
        least_rate([])


def in_time(packets: list[tuple[Fraction, Fraction]], rate: Fraction) -> bool:
    """Are unit packets (release, deadline) all sent in time, the most urgent first at any time?"""
    coming = sorted(packets, reverse=True)
    now, waiting = Fraction(0), list[list[Fraction]]()
    while coming or waiting:
        if not waiting:
            now = max(now, coming[-1][0])
        while coming and coming[-1][0] <= now:
            heapq.heappush(waiting, [coming.pop()[1], Fraction(1)])
        finished = now + waiting[0][1] / rate
        until = min(finished, coming[-1][0]) if coming else finished
        waiting[0][1] -= (until - now) * rate
        now = until
        if waiting[0][1] == 0 and heapq.heappop(waiting)[0] < now:
            return False
    return True


spans = st.tuples(st.integers(0, 12), st.integers(1, 8), st.integers(0, 8), st.integers(1, 5))


@settings(deadline=None)
@given(st.lists(spans, min_size=1, max_size=6))
def test_packets_in_that_order_are_in_time_at_the_bound_and_late_below_it(
    drawn: list[tuple[int, int, int, int]],
) -> None:
    """Packets that are due at once, one demand each: then the bound is theirs exactly."""
    packets = [
        (Fraction(release + k * spread, 4), Fraction(release + k * spread + patience, 4))
        for release, patience, spread, count in drawn
        for k in range(count)
    ]
    demands = [
        Demand(1.0, (float(released), float(released)), (float(due), float(due)))
        for released, due in packets
    ]
    bound = Fraction(least_rate(demands).rate_bps)
    assert in_time(packets, bound * Fraction(1_000_001, 1_000_000))
    assert not in_time(packets, bound * Fraction(999_999, 1_000_000))


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(spans, st.booleans()), min_size=1, max_size=4))
def test_a_fluid_is_many_small_packets(drawn: list[tuple[tuple[int, int, int, int], bool]]) -> None:
    """Films and live streams cut into 60 packets: the bounds agree within some packets."""
    fluid: list[Demand] = []
    packets: list[tuple[Fraction, Fraction]] = []
    cut = 60
    for (begin, ahead, length, rate), is_live in drawn:
        make = live if is_live else vod
        fluid.append(make(float(rate), length + 1.0, begin + 10.0, float(ahead)))
        (release_s, release_end_s), (due_s, due_end_s) = fluid[-1].released_s, fluid[-1].due_s
        for k in range(cut):
            middle = (k + 0.5) / cut
            packets.append((
                Fraction(release_s + middle * (release_end_s - release_s)),
                Fraction(due_s + middle * (due_end_s - due_s)),
            ))  # fmt: skip
    sizes = [demand.bits / cut for demand in fluid for _ in range(cut)]
    small = [
        Demand(size, (float(released),) * 2, (float(due),) * 2)
        for size, (released, due) in zip(sizes, packets, strict=True)
    ]
    assert least_rate(small).rate_bps == pytest.approx(least_rate(fluid).rate_bps, rel=0.1)
