"""Runs and their files."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote
from uuid import UUID

from weir_sdk.call import Call, Json, Levels, Page, asked, body, path, raw, text
from weir_sdk.models import ArtifactOut, CampaignOut, RunDetail, RunMetrics, RunOut
from weir_sdk.series import Series, read_series

__all__ = [
    "ask_what_if",
    "fetch_artifact",
    "fetch_artifacts",
    "list_artifacts",
    "list_runs",
    "show_run",
    "show_run_log",
    "show_run_metrics",
    "show_run_series",
]


def ask_what_if(run: int, client: int, segment: int, level: int) -> Call[CampaignOut]:
    """A campaign of one run: this one, with one client's level in one segment decided otherwise.

    client: from 1; segment, level: from 0.
    """
    given = body(client=client, segment=segment, level=level)
    return Call("POST", path("runs", run, "whatif"), Json(CampaignOut), json=given)


def list_runs(
    campaign: UUID | str,
    state: Sequence[str] | None = None,
    levels: Levels | None = None,
    sort: str = "position",
    metric: Sequence[str] | None = None,
    client: int | None = None,
    limit: int = 500,
    run: Sequence[int] | None = None,
    replicate: int | None = None,
) -> Call[Page[RunOut]]:
    """A campaign's runs, some states and levels only, with the values of metrics.

    sort: position, started, wall_s or a metric; `-` before it: falling. client: by rank. run: only
    these. replicate: only this one, from 0: runs of one seed.
    """
    params = asked(
        levels,
        state=state,
        run=run,
        replicate=replicate,
        sort=sort,
        metric=metric,
        client=client,
        limit=limit,
    )
    return Call("GET", path("campaigns", campaign, "runs"), Json(Page[RunOut]), params)


def show_run(run: int) -> Call[RunDetail]:
    """All about a run."""
    return Call("GET", path("runs", run), Json(RunDetail))


def show_run_metrics(run: int) -> Call[RunMetrics]:
    """All metrics of a finished run."""
    return Call("GET", path("runs", run, "metrics"), Json(RunMetrics))


def show_run_series(
    run: int,
    kinds: Sequence[str] | None = None,
    from_s: float = 0.0,
    to_s: float | None = None,
    points: int = 2000,
    even: bool = False,
) -> Call[Series]:
    """What a run recorded over time, as NumPy arrays; peaks stay when it is thinned to `points`.

    even: the values at `points` evenly spaced moments instead, as to average several runs.
    """
    named = ",".join(kinds) if kinds else None
    params = asked(kinds=named, from_s=from_s, to_s=to_s, points=points, even=even)
    return Call("GET", path("runs", run, "series"), read_series, params)


def show_run_log(run: int) -> Call[str]:
    """What the lab kernel and the roles of an ended run said."""
    return Call("GET", path("runs", run, "log"), text)


def list_artifacts(run: int) -> Call[list[ArtifactOut]]:
    """The files of an ended run."""
    return Call("GET", path("runs", run, "artifacts"), Json(list[ArtifactOut]))


def fetch_artifact(run: int, name: str) -> Call[bytes]:
    """A file of an ended run."""
    return Call("GET", f"{path('runs', run, 'artifacts')}/{quote(name)}", raw)


def fetch_artifacts(run: int) -> Call[bytes]:
    """All files of an ended run, as one tar with a folder."""
    return Call("GET", path("runs", run, "artifacts.tar"), raw)
