"""The runs that a campaign begins with: all of it, or of a search what it asks for first."""

from __future__ import annotations

from weir.spec import Campaign
from weir.spec.search import levels_of

from weir_engine.search.subject import End, Subject

__all__ = ["first_round"]


def first_round(campaign: Campaign) -> Campaign:
    """The campaign whose expansion is those runs: one that starts at a metric asks for one end."""
    search = campaign.search
    if search is None:
        return campaign
    _, asked = Subject(search, {}, (0,)).narrow(lambda levels, replicate: None)
    assert not isinstance(asked, End)
    levels = levels_of(search)
    later = [{search.factor: end} for end in (levels[0], levels[-1]) if end not in asked]
    return campaign.model_copy(update={"exclude": [*campaign.exclude, *later]})
