"""How many runs a campaign may come to."""

from __future__ import annotations

from weir.expand import Expansion
from weir.spec.campaign import Campaign
from weir.spec.search import Search
from weir.spec.search_levels import levels_of

__all__ = ["most_runs", "runs_at_most"]


def runs_at_most(campaign: Campaign, expansion: Expansion) -> int:
    """A campaign's runs; of a search as many as bisection can come to."""
    ends = expansion.count()
    return most_runs(campaign.search, ends) if campaign.search else ends


def most_runs(search: Search, ends: int) -> int:
    """How many runs a search may come to, of which so many are at its ends."""
    steps = (len(levels_of(search)) - 2).bit_length()
    if search.start is not None or search.near is not None:
        steps *= 2  # in doubling strides, and back
    return ends + ends // 2 * (steps + search.confirm)
