"""What the benchmarks share: the campaign's runs, one core, a kernel, printing."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.expand import Run, expand
from weir.spec import load_campaign
from weir_lab.kernel import Kernel, find

CHECKOUT = Path(__file__).resolve().parents[1]
SCENARIO_1 = CHECKOUT / "campaigns" / "ben-ameur-2016" / "scenario-1.yaml"


def reference_run(**overrides: Any) -> Run:
    """Ben Ameur scenario 1 with Illinois and RWTM: replicate 0, all records on."""
    asked: Mapping[str, Any] = {
        "server.congestion_control": "illinois",
        "gateway.shaping.method": "rwtm",
        **{key.replace("__", "."): value for key, value in overrides.items()},
    }
    return expand(load_campaign(SCENARIO_1, asked, replicates=1))[0]


def require_kernel() -> Kernel:
    """The built lab kernel. Raises WeirError."""
    kernel = find()
    if kernel is None:
        raise WeirError("no lab kernel is built yet: weir kernel build")
    return kernel


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its children on the first core it may use."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def middle(values: list[float]) -> float:
    """The median, rounded to 4 digits after the point."""
    return round(statistics.median(values), 4)


def show(found: Mapping[str, Any], as_json: bool) -> None:
    """Print a result: one JSON object, or a line per value."""
    if as_json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<28} {value}")
