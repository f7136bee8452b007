from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir import units
from weir.units import BadQuantity, Limit, bdp_packets


@pytest.mark.parametrize(
    ("text", "bps"),
    [("8Mbit/s", 8e6), ("248kbit/s", 248e3), ("1.5 Gbit/s", 1.5e9), ("300bit/s", 300.0)],
)
def test_rates(text: str, bps: float) -> None:
    assert units.rate_bps(text) == bps


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("100ms", 0.1), ("2s", 2.0), ("3min", 180.0), ("1h", 3600.0), ("70us", 7e-5), (0, 0.0)],
)
def test_durations(text: object, seconds: float) -> None:
    assert units.duration_s(text) == seconds


def test_sizes_limits_and_ratios() -> None:
    assert units.size_bytes("11packets") == 16_500
    assert units.size_bytes("16kB") == 16_000
    assert units.limit("67packets") == Limit(packets=67)
    assert units.limit("0.25bdp") == Limit(bdp=0.25)
    assert units.ratio("10%") == 0.1
    assert units.ratio("150%") == 1.5


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("8Mbps", "write 8Mbit/s"),
        ("8mbit/s", "write 8Mbit/s"),
        ("8", "add the unit, for example 8Mbit/s"),
        (8, "add the unit, for example 8Mbit/s"),
        ("8ms", "'ms' is not a unit of rate; write 8Mbit/s"),
        ("fast", "write a number and a unit, for example 8Mbit/s"),
        ("-8Mbit/s", "it cannot be negative"),
        ("1e400bit/s", "it is too large to be meant"),
        (True, "write a string such as 8Mbit/s"),
        (None, "write a string such as 8Mbit/s"),
        ([], "write a string such as 8Mbit/s"),
        ("8" * 100 + "bit/s", "write a number and a unit, for example 8Mbit/s"),
    ],
)
def test_what_is_no_rate_is_refused_with_a_remedy(text: object, remedy: str) -> None:
    with pytest.raises(BadQuantity) as refused:
        units.rate_bps(text)
    assert refused.value.remedy == remedy
    assert "Mbit/s" in refused.value.allowed


@pytest.mark.parametrize("text", ["0packets", "0bdp", "1.5packets", "67", "1BDPs"])
def test_bad_limits(text: str) -> None:
    with pytest.raises(BadQuantity):
        units.limit(text)


def test_bdp_of_both_papers() -> None:
    assert bdp_packets(8e6, 0.1) == 67
    assert bdp_packets(10e6, 0.08) == 67
    assert bdp_packets(10e6, 0.08, 6) == 400
    assert bdp_packets(10e6, 0.08, 0.25) == 17
    assert bdp_packets(12e6, 0.1) == 100
    assert bdp_packets(1e3, 0.001) == 1


@given(st.decimals(0, 10**6, places=3), st.sampled_from(list(units.RATE.units)))
def test_a_rate_means_number_times_unit(number: object, unit: str) -> None:
    text = f"{number}{unit}"
    assert units.rate_bps(text) == pytest.approx(float(str(number)) * float(units.RATE.units[unit]))
    assert re.search(units.RATE.pattern, text)


@given(st.text(max_size=20))
def test_any_text_is_a_duration_or_a_helpful_refusal(text: str) -> None:
    try:
        assert units.duration_s(text) >= 0
    except BadQuantity as refused:
        assert refused.remedy
