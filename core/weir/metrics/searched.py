"""What a campaign's search found. A single run has none of it: the campaign's results do."""

from __future__ import annotations

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value

LEVEL, EXCEPTIONS = "searched_level", "search_exceptions"
_SEARCH = "the campaign's search"
INFO = (
    MetricInfo(
        LEVEL,
        "",
        "run",
        _SEARCH,
        None,
        "Level found",
        "smallest or largest level, as asked, that the search finds to pass its condition; in SI "
        "units",
    ),
    MetricInfo(
        EXCEPTIONS,
        "",
        "run",
        _SEARCH,
        "lower",
        "Levels beyond the found one that fail",
        "number of levels tried beyond the found one, where all should pass, that fail the "
        "condition",
    ),
)


def measure(context: Context) -> dict[str, Value]:
    """Nothing, for a run by itself. The level is in SI units."""
    return dict.fromkeys((info.name for info in INFO), None)
