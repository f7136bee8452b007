from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.spec import traces
from weir.spec.traces import BadTrace


def test_one_opportunity_per_millisecond_is_12_mbit_per_second() -> None:
    stamps = "\n".join(str(ms) for ms in range(1, 1001))
    assert traces.mahimahi(stamps, 0.1) == ([[0.0, 12e6]], 1.0)


def test_mahimahi_by_hand() -> None:
    # 100 ms bins: three packets, none, one in the last half bin: 3, 0 and 1 * 12000 bit.
    steps, period_s = traces.mahimahi("50\n50\n100\n250\n", 0.1)
    assert steps == [[0.0, 360e3], [0.1, 0.0], [0.2, 240e3]]
    assert period_s == 0.25


def test_pensieve_by_hand() -> None:
    # A line holds from the time of the line before: 2 Mbit/s for 1 s, then 3 Mbit/s for 2 s.
    steps, period_s = traces.pensieve("0.5 1.0\n1.5 2.0\n3.5 3.0\n")
    assert steps == [[0.0, 2e6], [1.0, 3e6]]
    assert period_s == 3.0
    assert traces.mean_rate(steps, 3.0) == pytest.approx(8e6 / 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no lines"),
        ("0\n0\n", "no length"),
        ("5\n3\n", "line 2: 3 is before 5"),
        ("1\nx\n", "line 2: 'x'"),
        ("-1\n", "line 1"),
        ("1.5\n", "line 1"),
        ("1\n999999999\n", "longer bin"),
    ],
)
def test_bad_mahimahi(text: str, says: str) -> None:
    with pytest.raises(BadTrace, match=says):
        traces.mahimahi(text, 0.1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "two lines"),
        ("0 1\n", "two lines"),
        ("0 1\n1 0\n2 0\n", "zero throughout"),
        ("0 1\n0 2\n", "line 2: time 0.0 does not come after 0.0"),
        ("0 1\n1 -2\n", "negative"),
        ("0 1\n1 nan\n", "infinite"),
        ("0 1 2\n", "line 1"),
    ],
)
def test_bad_pensieve(text: str, says: str) -> None:
    with pytest.raises(BadTrace, match=says):
        traces.pensieve(text)


@given(st.lists(st.integers(0, 3000), min_size=1).filter(any), st.sampled_from([0.02, 0.1, 0.7]))
def test_mahimahi_keeps_every_packet(stamps: list[int], bin_s: float) -> None:
    steps, period_s = traces.mahimahi("\n".join(map(str, sorted(stamps))), bin_s)
    bits = traces.mean_rate(steps, period_s) * period_s
    assert bits == pytest.approx(len(stamps) * 12_000, rel=1e-6)
    assert steps[0][0] == 0.0
    assert all(a[0] < b[0] and a[1] != b[1] for a, b in pairwise(steps))


def test_until_drops_what_begins_later() -> None:
    assert traces.until([[0.0, 1.0], [2.0, 3.0]], 2.0) == [[0.0, 1.0]]
