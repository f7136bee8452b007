"""A campaign's results, brought together: combinations of levels, means, a paper's numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from weir import stats
from weir.metrics import CATALOG
from weir.metrics.searched import LEVEL
from weir.spec.paper import Paper, PaperTable

from weir_engine.campaign_record import DescribedCampaign
from weir_engine.groups import grouped
from weir_engine.levels import text
from weir_engine.row import Row, distinct
from weir_engine.search.unit import found_unit
from weir_engine.states import TROUBLES

__all__ = ["DEFAULT_METRICS", "Combination", "Mean", "Report", "build", "value_of", "values_of"]

DEFAULT_METRICS = (
    "mean_bitrate_bps",
    "instability_percent",
    "infidelity_percent",
    "convergence_s",
    "cng",
    "froff",
    "rebuffer_ratio_percent",
    "startup_s",
    "link_utilisation_percent",
    "queueing_delay_mean_s",
    "loss_rate_percent",
    "quality_unfairness_percent",
)


@dataclass(frozen=True)
class Combination:
    """One combination of levels and its runs; only the succeeded ones are in `rows`.

    distinct: how many different results they have.
    """

    levels: dict[str, Any]
    rows: tuple[Row, ...]
    asked: int
    distinct: int


@dataclass(frozen=True)
class Mean:
    """A metric over a combination's replicates.

    distinct: of how many different runs the n values are. ci: 95 % interval; None where that is
    one.
    """

    n: int
    distinct: int
    mean: float
    ci: tuple[float, float] | None
    more_needed: bool
    paper: float | None


@dataclass(frozen=True)
class Report:
    """Everything that the terminal, JSON and HTML reports show.

    table: the paper's numbers for this campaign, where it has some.
    means: by (combination's index, metric, client's rank or None for a metric of the run).
    opinions: by combination's index and item, people's scores (weir_engine.report.ratings).
    level_unit: of the levels that the campaign's search finds.
    """

    name: str
    description: str
    factors: list[str]
    metrics: list[str]
    ranks: list[int]
    combinations: list[Combination]
    means: dict[tuple[int, str, int | None], Mean]
    states: Counter[str]
    troubles: list[Row]
    paper: Paper | None = None
    table: PaperTable | None = None
    opinions: dict[int, dict[str, stats.Summary]] = field(default_factory=dict)
    level_unit: str = ""

    def unit(self, metric: str) -> str:
        """In which a metric's numbers are; of a level found, that of the factor searched."""
        return self.level_unit if metric == LEVEL else CATALOG[metric].unit

    @property
    def items(self) -> list[str]:
        """What people scored."""
        return list(dict.fromkeys(item for each in self.opinions.values() for item in each))

    def scopes(self, metric: str) -> list[int | None]:
        """The ranks that a metric has numbers of; [None] for a metric of the run."""
        return list(self.ranks) if CATALOG[metric].scope == "client" else [None]

    def level_names(self, path: str) -> list[str]:
        """The levels of a factor as text, in the campaign's order."""
        return list(dict.fromkeys(text(each.levels[path]) for each in self.combinations))


def build(
    record: DescribedCampaign,
    rows: list[Row],
    metrics: list[str] | None = None,
    paper: Paper | None = None,
) -> Report:
    """Bring a campaign's record and rows together; `metrics` instead of the usual ones."""
    table = paper.campaigns.get(record["name"]) if paper else None
    first = [name for name in _of_interest(paper, table) if name in CATALOG]
    wanted = metrics or list(dict.fromkeys([*first, *DEFAULT_METRICS]))
    combinations = _combinations(rows, record["factors"])
    ranks = sorted(
        {
            int(client["rank"])
            for row in rows
            if row.state == "succeeded" and row.metrics
            for client in row.metrics["clients"]
        }
    )
    report = Report(
        name=record["name"],
        description=record.get("description") or "",
        factors=record["factors"],
        metrics=wanted,
        ranks=ranks,
        combinations=combinations,
        means={},
        states=Counter(row.state for row in rows),
        troubles=[row for row in rows if row.state in TROUBLES],
        paper=paper,
        table=table,
        level_unit=found_unit(record["spec"]),
    )
    for index, combination in enumerate(combinations):
        for metric in wanted:
            for rank in report.scopes(metric):
                mean = _mean(combination, metric, rank, table)
                if mean is not None:
                    report.means[index, metric, rank] = mean
    return report


def _of_interest(paper: Paper | None, table: PaperTable | None) -> list[str]:
    """What the paper has numbers, findings or figures of, in this order."""
    findings, figures = (paper.findings, paper.figures) if paper else ([], [])
    return [
        *(table.metrics if table else ()),
        *(comparison.metric for finding in findings for comparison in finding.comparisons),
        *(metric for figure in figures for metric in figure.metrics),
    ]


def _combinations(rows: list[Row], factors: list[str]) -> list[Combination]:
    found = []
    for group in grouped(((row.levels, row) for row in rows), factors):
        good = tuple(row for row in group.members if row.state == "succeeded")
        found.append(Combination(group.levels, good, len(group.members), distinct(good)))
    return found


def values_of(combination: Combination, metric: str, rank: int | None) -> list[float]:
    """A metric's values over the replicates that have one."""
    found = (value_of(row, metric, rank) for row in combination.rows)
    return [value for value in found if value is not None]


def value_of(row: Row, metric: str, rank: int | None) -> float | None:
    """A metric of one finished run: of the client of that rank, or of the run (None)."""
    assert row.metrics is not None
    if rank is None:
        value = row.metrics["run"].get(metric)
    else:
        clients = row.metrics["clients"]
        value = next((each.get(metric) for each in clients if each["rank"] == rank), None)
    return None if value is None else float(value)


def _mean(
    combination: Combination, metric: str, rank: int | None, table: PaperTable | None
) -> Mean | None:
    values = values_of(combination, metric, rank)
    if not values:
        return None
    found = stats.summary(values, distinct=combination.distinct)
    alike = found.distinct == 1
    interval = None if alike else (found.ci_low, found.ci_high)
    number = table.value(metric, rank, combination.levels) if table else None
    more = stats.more_replicates_needed(values) and not (alike and found.n > 1)
    return Mean(found.n, found.distinct, found.mean, interval, more, number)
