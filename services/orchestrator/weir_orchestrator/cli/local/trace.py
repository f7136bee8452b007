"""`weir trace`: the conditions of a wireless link over time, made by a stated model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from weir import trace_models, units
from weir.atomic import write_atomic
from weir.units import BadQuantity
from weir_engine.errors import BadInput

from weir_orchestrator.cli.common import output

__all__ = ["trace"]

LEAST_S = 1.0


def trace(
    model: Annotated[str, typer.Argument(help="lte, 5g or leo.")],
    out: Annotated[Path, typer.Option(help="CSV file to write.", dir_okay=False)],
    mean: Annotated[str, typer.Option(help="Mean rate, e.g. 8Mbit/s.")] = "10Mbit/s",
    duration: Annotated[str, typer.Option(help="Its length, e.g. 300s.")] = "300s",
    seed: Annotated[int, typer.Option(help="Another seed, another trace.", min=0)] = 1,
) -> None:
    """Make a trace of rate, round trips and loss for a link's `rate` and a path's `conditions`."""
    if model not in trace_models.MODELS:
        raise BadInput(f"MODEL: {model} — allowed: {', '.join(trace_models.MODELS)}")
    mean_bps = _quantity("--mean", mean, units.rate_bps)
    if mean_bps <= 0:
        raise BadInput(f"--mean: {mean} — allowed: above zero")
    length_s = _quantity("--duration", duration, units.duration_s)
    if not LEAST_S <= length_s <= trace_models.MOST_S:
        raise BadInput(f"--duration: {duration} — allowed: 1s to {trace_models.MOST_S:g}s")
    try:
        write_atomic(out, trace_models.as_csv(model, mean_bps, length_s, seed).encode())
    except OSError as error:
        raise BadInput(
            f"--out: {out} — {error.strerror}; name a file that can be written"
        ) from None
    output.print(f"{out}: {length_s:g} s of {model}, {mean} in the mean, seed {seed}", markup=False)


def _quantity(name: str, said: str, read: Callable[[object], float]) -> float:
    try:
        return read(said)
    except BadQuantity as error:
        raise BadInput(f"{name}: {said} — allowed: {error.allowed}; {error.remedy}") from None
