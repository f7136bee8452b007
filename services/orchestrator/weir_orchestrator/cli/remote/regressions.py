"""A campaign at a server, judged there against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir_orchestrator.cli.remote.connect import connected, find_campaign

if TYPE_CHECKING:
    from weir_engine.regression import Judgement

__all__ = ["judged_there"]


def judged_there(
    campaign: str, baseline: str, effect: list[str] | None, server: str | None, team: str | None
) -> tuple[str, Judgement]:
    """The campaign's name, and what is said of it."""
    from weir_engine.regression import Judged, Judgement  # noqa: PLC0415 - heavy

    with connected(server, team) as to:
        found, before = find_campaign(to, campaign), find_campaign(to, baseline)
        said = to.client.judge_campaign(found.id, before.id, effect=effect)
    judged = [
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
    return found.name, Judgement(judged, said.combinations, said.changed, said.not_compared)
