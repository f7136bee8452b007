"""A campaign at a server, judged there against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir_orchestrator.cli.remote.connect import Connection, connected, find_campaign

if TYPE_CHECKING:
    from weir_engine.regression import Judgement
    from weir_sdk.models import CampaignOut

__all__ = ["judged", "judged_there"]


def judged_there(
    campaign: str, baseline: str, effect: list[str] | None, server: str | None, team: str | None
) -> tuple[str, Judgement]:
    """The campaign's name, and what is said of it."""
    with connected(server, team) as to:
        found = find_campaign(to, campaign)
        return found.name, judged(to, found, find_campaign(to, baseline), effect)


def judged(
    to: Connection, campaign: CampaignOut, baseline: CampaignOut, effect: list[str] | None
) -> Judgement:
    """What is said of it there."""
    from weir_engine.regression import Judged, Judgement  # noqa: PLC0415 - heavy

    said = to.client.judge_campaign(campaign.id, baseline.id, effect=effect)
    verdicts = [
        Judged(
            one.levels,
            one.metric,
            one.verdict,
            one.n,
            one.before,
            one.difference,
            one.relative,
            one.replicates,
        )
        for one in said.verdicts
    ]
    return Judgement(verdicts, said.combinations, said.changed, said.not_compared)
