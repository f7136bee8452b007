"""/runs/{run}/series: curves for plots."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from weir_orchestrator.api.dependencies import AsksAs, Objects, SessionOf
from weir_orchestrator.api.ids import RunId
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.runs import service
from weir_orchestrator.api.runs.endpoints import REFUSALS
from weir_orchestrator.errors import FieldProblem, Unavailable, Unprocessable
from weir_orchestrator.recorded import KINDS, curves
from weir_orchestrator.recorded.curves import Window

__all__ = ["router"]

router = APIRouter(tags=["runs"])

_DEFAULT = ("level", "buffer", "throughput", "stalls", "cwnd", "ssthresh", "queue", "drops")


class CurveOut(BaseModel):
    """Points in order of time, as two lists of one length."""

    kind: str = Field(examples=["cwnd"], description="Which curve.")
    unit: str = Field(examples=["segments"], description="Of its values.")
    shape: Literal["line", "step", "marks"] = Field(
        description="step: a value holds until the next; marks: moments, with a word each in "
        "`labels`, if any."
    )
    client: int | None = Field(description="From 1.")
    flow: int | None = Field(description="TCP connection, as in flows.json.")
    path: str | None = Field(
        examples=["wifi"], description="Its name, of what belongs to one, where paths are named."
    )
    t_s: list[float] = Field(description="Seconds since the experiment's start.")
    values: list[float] = Field(description="One for each of `t_s`.")
    labels: list[str] = Field(description="One for each of `t_s`, or none.")
    samples: int = Field(description="Points recorded in the window; more than sent: thinned.")


class SeriesOut(BaseModel):
    """The curves of a window of a run."""

    run_id: int = Field(description="Whose curves.")
    duration_s: float = Field(description="Of the experiment.")
    from_s: float = Field(description="Where the window begins.")
    to_s: float = Field(description="Where it ends.")
    points: int = Field(description="At most so many of each curve.")
    curves: list[CurveOut] = Field(description="Of the kinds that were asked for.")


@router.get(
    "/runs/{run}/series", response_model=SeriesOut, responses=documented(*REFUSALS, Unavailable)
)
def show_run_series(
    session: SessionOf,
    objects: Objects,
    who: AsksAs,
    run: RunId,
    kinds: Annotated[
        str,
        Query(max_length=500, description=f"With commas between: {', '.join(KINDS)}."),
    ] = ",".join(_DEFAULT),
    from_s: Annotated[
        float, Query(ge=0, le=1e9, allow_inf_nan=False, description="Where to begin.")
    ] = 0.0,
    to_s: Annotated[
        float | None, Query(ge=0, le=1e9, allow_inf_nan=False, description="Default: the end.")
    ] = None,
    points: Annotated[
        int,
        Query(ge=10, le=20_000, description="The most points of a curve; peaks and troughs stay."),
    ] = 2000,
    even: Annotated[
        bool,
        Query(
            description="Values at `points` evenly spaced moments, as of several runs that are "
            "averaged, in place of peaks and troughs."
        ),
    ] = False,
) -> Response:
    """What a run recorded over time, thinned to what a plot can show; of a running one, so far."""
    found, _ = service.run_of(session, who, run)
    asked = [kind.strip() for kind in kinds.split(",")]
    for kind in asked:
        if kind not in KINDS:
            problem = FieldProblem(path="kinds", value=kind, allowed=", ".join(KINDS))
            raise Unprocessable("1 problem", [problem])
    experiment = service.experiment_of(session, found)
    duration_s = float(experiment["duration_s"])
    window = Window(from_s, duration_s if to_s is None else to_s, points, even)
    if window.to_s <= window.from_s:
        problem = FieldProblem(path="to_s", value=to_s, allowed=f"more than from_s, {from_s:g}")
        raise Unprocessable("1 problem", [problem])
    drawn = curves(service.recorded_of(session, objects, found), experiment, asked, window)
    content = SeriesOut(
        run_id=found.id,
        duration_s=duration_s,
        from_s=window.from_s,
        to_s=window.to_s,
        points=points,
        curves=[CurveOut(**asdict(each)) for each in drawn],
    )
    return Response(content.model_dump_json(), media_type="application/json")
