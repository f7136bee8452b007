"""What a campaign's runs answer to its question."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.levels import text
from weir_engine.regression.question import Hypothesis, Pair, in_words

from weir_orchestrator.api.results.answer_schemas import AnswerOut, AskedPair, Cost
from weir_orchestrator.api.results.schemas import metric_out
from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.errors import Conflict
from weir_orchestrator.recorded.question import answer_of

__all__ = ["answer"]


def answer(session: Session, campaign: Campaign) -> AnswerOut:
    """By the runs that there are now. Raises Conflict where the campaign asks nothing."""
    found = answer_of(session, campaign)
    if found is None:
        raise Conflict(f"campaign {campaign.name} asks nothing: its document has no `question`")
    asked, told = found
    known = {name: value for name, value in vars(told).items() if name not in {"typical", "worst"}}
    return AnswerOut(
        **known,
        campaign_id=campaign.id,
        metric=metric_out(asked.metric),
        factor=asked.factor,
        does_level=text(asked.does),
        beat_level=text(asked.beat),
        matters_from=None if told.beat is None else asked.effect.of(told.beat),
        is_told=told.is_told,
        sentence=in_words(told, asked),
        most=campaign.replicates,
        cost=_cost(session, campaign),
        typical=_named(session, campaign, asked, told.typical),
        worst=_named(session, campaign, asked, told.worst),
    )


def _cost(session: Session, campaign: Campaign) -> Cost:
    """Of the runs that were carried out, for this campaign or another one before."""
    query = (
        select(func.count(), func.sum(Result.film_s), func.sum(Result.wall_s))
        .select_from(Run)
        .join(Result, Result.id == Run.result_id)
        .where(Run.campaign_id == campaign.id)
    )
    runs, film_s, wall_s = session.execute(query).one()
    return Cost(runs=runs, film_s=film_s or 0.0, wall_s=wall_s or 0.0)


def _named(
    session: Session, campaign: Campaign, asked: Hypothesis, pair: Pair | None
) -> AskedPair | None:
    if pair is None:
        return None
    query = select(Run.key, Run.id).where(
        Run.campaign_id == campaign.id, Run.key.in_([pair.does_key, pair.beat_key])
    )
    ids = dict(session.execute(query).all())
    return AskedPair(
        replicate=pair.replicate,
        does_run=ids[pair.does_key],
        beat_run=ids[pair.beat_key],
        does=pair.does,
        beat=pair.beat,
        difference=pair.difference,
    )
