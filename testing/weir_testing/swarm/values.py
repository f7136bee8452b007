"""Quantities as users write them, drawn."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["Document", "maybe", "milliseconds", "percent", "rates", "seconds"]

Document = dict[str, Any]
"""A part of an experiment as it is written."""


def seconds(least: int, most: int) -> SearchStrategy[str]:
    """Whole ones."""
    return st.integers(least, most).map(lambda each: f"{each}s")


def milliseconds(least: int, most: int) -> SearchStrategy[str]:
    """Whole ones."""
    return st.integers(least, most).map(lambda each: f"{each}ms")


def percent(most: int) -> SearchStrategy[str]:
    """From 0 to that, by tenths."""
    return st.integers(0, 10 * most).map(lambda each: f"{each / 10:g}%")


def rates(least_kbps: int, most_kbps: int) -> SearchStrategy[str]:
    """As likely between 1 and 2 Mbit/s as between 10 and 20."""
    halves = [least_kbps]
    while halves[-1] < most_kbps:
        halves.append(min(most_kbps, halves[-1] * 5 // 4))
    return st.sampled_from(halves).map(lambda each: f"{each}kbit/s")


def maybe(key: str, values: SearchStrategy[Any]) -> SearchStrategy[Document]:
    """Half of the time that key, else nothing: simpler ones first."""
    return st.one_of(st.just({}), values.map(lambda value: {key: value}))
