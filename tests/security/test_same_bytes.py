"""Confinement changes no result: the first run of every shipped campaign, with and without it.

Of its film the first minute; all of it in the long tests.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from weir_lab.kernel import Kernel
from weir_testing.files import HOST, contents
from weir_testing.unconfined import SHIPPED, carry_out, first_run, unconfined

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    "at_most_s", [60.0, pytest.param(math.inf, marks=pytest.mark.long)], ids=["", "whole"]
)
@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_run_is_the_same_confined_or_not(
    file: Path, at_most_s: float, kernel: Kernel, tmp_path: Path
) -> None:
    task, cut = first_run(file, kernel, at_most_s), math.isfinite(at_most_s)
    confined = contents(carry_out(task, kernel, tmp_path / "confined", cut=cut), but=HOST)
    with unconfined():
        free = contents(carry_out(task, kernel, tmp_path / "free", cut=cut), but=HOST)
    assert confined.keys() == free.keys() >= {"run.json", "metrics.json", "log.txt"}
    assert [name for name in confined if confined[name] != free[name]] == []
