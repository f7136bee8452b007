"""Confinement changes no result: the first run of every shipped campaign, with and without it.

Of its film the first 40 s, in which all that the short ones have begins; all of it in the long
tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from weir_lab.kernel import Kernel
from weir_testing.files import HOST, contents
from weir_testing.unconfined import SHIPPED, first_run, machine, unconfined

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def confined(
    kernel: Kernel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Path]]:
    with machine(kernel, tmp_path_factory.mktemp("confined")) as carry_out:
        yield carry_out


@pytest.fixture(scope="module")
def free(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Path]]:
    with machine(kernel, tmp_path_factory.mktemp("free")) as carry_out:
        yield carry_out


@pytest.mark.parametrize(
    "at_most_s", [40.0, pytest.param(math.inf, marks=pytest.mark.long)], ids=["", "whole"]
)
@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_run_is_the_same_confined_or_not(
    file: Path,
    at_most_s: float,
    kernel: Kernel,
    confined: Callable[..., Path],
    free: Callable[..., Path],
) -> None:
    task, cut = first_run(file, kernel, at_most_s), math.isfinite(at_most_s)
    one = contents(confined(task, cut=cut), but=HOST)
    # Its fork server becomes what it is where it starts: with the first.
    with unconfined():
        other = contents(free(task, cut=cut), but=HOST)
    assert one.keys() == other.keys() >= {"run.json", "metrics.json", "log.txt"}
    assert [name for name in one if one[name] != other[name]] == []
