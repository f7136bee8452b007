"""Results over many runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import httpx2

from weir_sdk.call import Call, Json, Levels, asked, path, text
from weir_sdk.models import (
    Aggregate,
    AnswerOut,
    Comparison,
    Contrasts,
    Effects,
    Regressions,
    ReportOut,
    RunComparison,
    RunPartings,
    Scorecard,
    SearchOut,
    Values,
)

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "aggregate_metric",
    "compare_campaigns",
    "compare_runs",
    "contrast_groups",
    "fetch_table",
    "find_parting",
    "judge_campaign",
    "list_effects",
    "list_values",
    "score_levels",
    "show_answer",
    "show_report",
    "show_report_page",
    "show_search",
]


def aggregate_metric(
    campaign: UUID | str,
    metric: str,
    rows: str | None = None,
    columns: str | None = None,
    client: int | None = None,
    levels: Levels | None = None,
) -> Call[Aggregate]:
    """Mean, 95 % interval, quantiles and range of a metric by up to two factors."""
    params = asked(levels, metric=metric, rows=rows, columns=columns, client=client)
    return Call("GET", path("campaigns", campaign, "aggregate"), Json(Aggregate), params)


def contrast_groups(
    campaign: UUID | str,
    metric: str,
    rows: str | None = None,
    columns: str | None = None,
    row: str = "",
    column: str = "",
    client: int | None = None,
    levels: Levels | None = None,
) -> Call[Contrasts]:
    """Every group of `aggregate_metric` against the one at `row` and `column`, paired by seed."""
    base = {"row": row or None, "column": column or None}
    params = asked(levels, metric=metric, rows=rows, columns=columns, client=client, **base)
    return Call("GET", path("campaigns", campaign, "contrasts"), Json(Contrasts), params)


def score_levels(
    campaign: UUID | str,
    factor: str,
    against: str,
    by: Sequence[str] | None = None,
    metric: Sequence[str] | None = None,
    client: int | None = None,
    levels: Levels | None = None,
) -> Call[Scorecard]:
    """All metrics at each level of a factor against one of them, paired by seed.

    by: factors whose levels are kept apart, default all others; [""]: none.
    """
    params = asked(levels, factor=factor, against=against, by=by, metric=metric, client=client)
    return Call("GET", path("campaigns", campaign, "scorecard"), Json(Scorecard), params)


def show_answer(campaign: UUID | str) -> Call[AnswerOut]:
    """Whether one level beats the other one, of a campaign that asks a question."""
    return Call("GET", path("campaigns", campaign, "answer"), Json(AnswerOut))


def show_search(campaign: UUID | str, most: int = 500) -> Call[SearchOut]:
    """What a campaign's search found, or how far it has narrowed; at most `most` subjects."""
    params = asked(most=most)
    return Call("GET", path("campaigns", campaign, "search"), Json(SearchOut), params)


def list_values(
    campaign: UUID | str,
    metric: str,
    rows: str | None = None,
    columns: str | None = None,
    client: int | None = None,
    levels: Levels | None = None,
    most: int = 2000,
) -> Call[Values]:
    """A metric run by run, by up to two factors; at most `most` values of a group."""
    params = asked(levels, metric=metric, rows=rows, columns=columns, client=client, most=most)
    return Call("GET", path("campaigns", campaign, "values"), Json(Values), params)


def fetch_table(
    campaign: UUID | str, include_invalid: bool = False, levels: Levels | None = None
) -> Call[pa.Table]:
    """A row per run and client with all metrics, as an Arrow table."""
    params = asked(levels, include_invalid=include_invalid)
    return Call("GET", path("campaigns", campaign, "table.csv"), _table, params)


def compare_campaigns(
    a: UUID | str, b: UUID | str, metric: str, client: int | None = None
) -> Call[Comparison]:
    """Two campaigns, combination by combination, over the seeds that both have: b - a."""
    params = asked(a=a, b=b, metric=metric, client=client)
    return Call("GET", "/compare", Json(Comparison), params)


def compare_runs(a: int, b: int) -> Call[RunComparison]:
    """Parameters and metrics in which two runs differ."""
    return Call("GET", "/compare/runs", Json(RunComparison), asked(a=a, b=b))


def list_effects(campaign: UUID | str, metric: str, client: int | None = None) -> Call[Effects]:
    """How much of a metric's variance each factor explains, the largest effect first."""
    params = asked(None, metric=metric, client=client)
    return Call("GET", path("campaigns", campaign, "effects"), Json(Effects), params)


def find_parting(a: int, b: int) -> Call[RunPartings]:
    """The first moment at which two runs part, in each record: packets, ACKs, segments."""
    return Call("GET", "/compare/runs/parting", Json(RunPartings), asked(a=a, b=b))


def judge_campaign(
    campaign: UUID | str, baseline: UUID | str, effect: Sequence[str] | None = None
) -> Call[Regressions]:
    """Every metric of every combination against a baseline's: same, better, worse?"""
    params = asked(None, baseline=baseline, effect=effect)
    return Call("GET", path("campaigns", campaign, "regressions"), Json(Regressions), params)


def show_report(
    campaign: UUID | str, metric: Sequence[str] | None = None, levels: Levels | None = None
) -> Call[ReportOut]:
    """What `weir report` says."""
    params = asked(levels, metric=metric)
    return Call("GET", path("campaigns", campaign, "report"), Json(ReportOut), params)


def show_report_page(
    campaign: UUID | str, metric: Sequence[str] | None = None, levels: Levels | None = None
) -> Call[str]:
    """The same as one HTML file with figures."""
    params = asked(levels, metric=metric)
    return Call("GET", path("campaigns", campaign, "report.html"), text, params)


def _table(response: httpx2.Response) -> pa.Table:
    import pyarrow as pa  # noqa: PLC0415 - heavy
    from pyarrow import csv  # noqa: PLC0415

    return csv.read_csv(pa.BufferReader(response.content))
