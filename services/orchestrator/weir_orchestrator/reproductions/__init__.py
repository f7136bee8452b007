"""A card's runs, carried out again by workers and compared with what is stored of them.

They are runs of campaigns of their own, one for each that the card shows, so quotas, turns,
progress and cancelling are those of campaigns. A run that certifies is not ended by its key's
result (`lifecycle.table`); its worker compares the bytes (`work.certify`).
"""

from weir_orchestrator.reproductions.begin import begin, refusals
from weir_orchestrator.reproductions.conclude import conclude_next
from weir_orchestrator.reproductions.plan import Plan, plan_of
from weir_orchestrator.reproductions.tally import Tally, last_ended, tally_of, verdict_of

__all__ = [
    "Plan",
    "Tally",
    "begin",
    "conclude_next",
    "last_ended",
    "plan_of",
    "refusals",
    "tally_of",
    "verdict_of",
]
