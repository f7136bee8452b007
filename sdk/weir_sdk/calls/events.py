"""Live events of a campaign or a team."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from weir_sdk.call import path
from weir_sdk.events import Resuming

__all__ = ["watch_campaign", "watch_team"]


def watch_campaign(
    campaign: UUID | str, kinds: Sequence[str] | None = None, after: int | None = None
) -> Resuming:
    """What happens in a campaign as it happens, without end: first `open`, then events."""
    return Resuming(path("campaigns", campaign, "events"), kinds, after)


def watch_team(team: str, kinds: Sequence[str] | None = None, after: int | None = None) -> Resuming:
    """The same of all campaigns of a team, its schedules and webhooks."""
    return Resuming(path("teams", team, "events"), kinds, after)
