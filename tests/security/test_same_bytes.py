"""Confinement changes no result: the first run of a shipped campaign, with and without it.

One campaign of each folder, and of its film the first 40 s, in which all that the short ones have
begins; every campaign and its whole film in the long tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from weir_lab.kernel import Kernel
from weir_testing.files import HOST, contents
from weir_testing.unconfined import SHIPPED, first_run, machine

pytestmark = pytest.mark.kernel

CUT_S: Final = 40.0
BRIEF: Final = {
    "campaigns/quickstart",
    "ben-ameur-2016/scenario-4",
    "deadline-aware-2016/small-stack",
    "fairness/machines",
    "handover/silent",
    "l4s-has/matrix",
    "livi-2017/small",
    "low-latency/small",
    "mptcp-2021/traffic",
    "new-cwv-2022/http2",
    "searches/queue-needed",
}


def called(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def cases() -> Iterator[object]:
    """Campaign file and where its film is cut."""
    for file in SHIPPED:
        if called(file) in BRIEF:
            yield pytest.param(file, CUT_S, id=called(file))
        yield pytest.param(file, math.inf, id=f"{called(file)}, whole", marks=pytest.mark.long)


@pytest.fixture(scope="module")
def confined(
    kernel: Kernel, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Path]]:
    with machine(kernel, tmp_path_factory.mktemp("confined")) as carry_out:
        yield carry_out


@pytest.fixture(scope="module")
def free(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Path]]:
    with machine(kernel, tmp_path_factory.mktemp("free"), confined=False) as carry_out:
        yield carry_out


def test_there_is_one_of_each_folder() -> None:
    assert {called(file) for file in SHIPPED} >= BRIEF
    assert {name.partition("/")[0] for name in BRIEF} == {file.parent.name for file in SHIPPED}


@pytest.mark.parametrize(("file", "at_most_s"), [*cases()])
def test_a_run_is_the_same_confined_or_not(
    file: Path,
    at_most_s: float,
    kernel: Kernel,
    confined: Callable[..., Path],
    free: Callable[..., Path],
) -> None:
    task, cut = first_run(file, kernel, at_most_s), math.isfinite(at_most_s)
    one = contents(confined(task, cut=cut), but=HOST)
    other = contents(free(task, cut=cut), but=HOST)
    assert one.keys() == other.keys() >= {"run.json", "metrics.json", "log.txt"}
    assert [name for name in one if one[name] != other[name]] == []
