"""The runs that a campaign begins with: all of it, or of a search what it asks for first."""

from __future__ import annotations

from weir.spec.campaign import Campaign
from weir.spec.load import all_levels
from weir.spec.search import Search
from weir.spec.search_levels import levels_of

from weir_engine.search.subject import End, Subject

__all__ = ["first_round"]


def first_round(campaign: Campaign) -> Campaign:
    """The campaign whose expansion is those runs: one that starts at a metric, and what starts at a
    neighbour's level, ask for one end."""
    search = campaign.search
    if search is None:
        return campaign
    levels = levels_of(search)
    asked, beside = _asked(search, None), _asked(search, 0)
    later = [{search.factor: end} for end in (levels[0], levels[-1]) if end not in asked]
    if search.near is not None:
        later += [
            {search.near: level, search.factor: end}
            for level in all_levels(campaign.axes())[search.near][1:]
            for end in asked
            if end not in beside
        ]
    return campaign.model_copy(update={"exclude": [*campaign.exclude, *later]})


def _asked(search: Search, neighbour: int | None) -> list[str | int]:
    """The levels that one begins with, by whether it has a neighbour."""
    subject = Subject(search, {}, (0,), neighbour)
    _, asked = subject.narrow(lambda levels, replicate: None)
    assert not isinstance(asked, End)
    return asked
