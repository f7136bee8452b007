"""Optimal levels: the paper's example, fairness, and use of the link."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
import weir
from hypothesis import given
from hypothesis import strategies as st
from weir.optimum import optimal_levels
from weir_testing.cpu_time import cpu_time

PAPER = [248e3, 456e3, 928e3, 1632e3, 4256e3]


@pytest.mark.parametrize(
    ("clients", "levels"),
    [(0, []), (1, [4]), (2, [4, 3]), (3, [4, 3, 3]), (4, [3, 3, 3, 3]), (5, [3, 3, 3, 3, 2])],
)
def test_paper_ladder_at_8_mbit(clients: int, levels: list[int]) -> None:
    # 2: 4256 + 1632 = 5888 <= 8000 < 2 * 4256.  3: 4256 + 2 * 1632 = 7520.
    # 4: 4 * 1632 = 6528, and 6528 + 2624 > 8000.  5: 4 * 1632 + 928 = 7456 <= 8000 < 5 * 1632.
    assert optimal_levels(8e6, PAPER, clients) == levels


def test_exact_fit_counts_and_too_little_gives_the_lowest() -> None:
    assert optimal_levels(0.3, [0.1, 0.2], 2) == [1, 0]
    assert optimal_levels(2 * 4256e3, PAPER, 2) == [4, 4]
    assert optimal_levels(100e3, PAPER, 3) == [0, 0, 0]


ladders = st.lists(st.integers(1, 60), min_size=1, max_size=4, unique=True).map(sorted)


@given(ladders, st.integers(1, 4), st.integers(1, 200))
def test_is_the_lexicographic_max_min_of_all_that_fit(
    ladder: list[int], clients: int, link: int
) -> None:
    rates = [float(rate) for rate in ladder]
    every = itertools.combinations_with_replacement(range(len(rates)), clients)
    fitting = [levels for levels in every if sum(ladder[level] for level in levels) <= link]
    best = max(fitting, default=(0,) * clients)  # ascending tuples: their order is leximin
    assert optimal_levels(float(link), rates, clients) == sorted(best, reverse=True)


@given(ladders, st.integers(1, 12), st.integers(1, 400))
def test_nothing_usable_is_left(ladder: list[int], clients: int, link: int) -> None:
    rates = [float(rate) for rate in ladder]
    levels = optimal_levels(float(link), rates, clients)
    used = sum(ladder[level] for level in levels)
    assert used <= link or levels == [0] * clients
    for level in levels:
        if level + 1 < len(ladder):
            assert used - ladder[level] + ladder[level + 1] > link


def test_is_fast_for_many_clients() -> None:
    ladder = [350e3, 470e3, 630e3, 845e3, 1130e3, 1520e3, 2040e3, 2750e3]
    spent = {}
    for clients in (2, 32):
        with cpu_time() as spent[clients]:
            for _ in range(1000):
                optimal_levels(1.5e6 * clients, ladder, clients)
    assert spent[32].cpu_s < 16 * spent[2].cpu_s


def test_needs_nothing_but_the_interpreter() -> None:
    core = Path(weir.__file__).parent.parent
    code = (
        f"import sys; sys.path.insert(0, {str(core)!r}); before = set(sys.modules); "
        "import weir.optimum; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-SEBc", code], capture_output=True, check=True)
    assert done.stdout.decode().split() == ["__future__", "weir", "weir.optimum"]
