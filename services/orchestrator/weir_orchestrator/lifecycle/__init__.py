"""The life of campaigns and runs: `table` shows it; nothing but this package writes their states.

Order in which transactions take locks, so that none waits for another in a circle:
campaign, run, lease. On SQLite a transaction holds the one write lock from its start.
"""

from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import begin, expanded, over, settle, settle_if_over
from weir_orchestrator.lifecycle.cancelling import cancel_some, conclude, refuse
from weir_orchestrator.lifecycle.counting import count_states
from weir_orchestrator.lifecycle.deleting import delete_some, remove
from weir_orchestrator.lifecycle.ending import Ending, end_with_results
from weir_orchestrator.lifecycle.extending import extend, lacking
from weir_orchestrator.lifecycle.runs import (
    add_runs,
    end_runs,
    hold_campaigns,
    queue_again,
    start_runs,
)
from weir_orchestrator.lifecycle.searching import follow, found
from weir_orchestrator.lifecycle.steering import cancel, pause, rerun, resume
from weir_orchestrator.lifecycle.table import ENDED, ENDED_EARLY, GOING_ON, STATES, CampaignState

__all__ = [
    "ENDED",
    "ENDED_EARLY",
    "GOING_ON",
    "STATES",
    "CampaignState",
    "Ending",
    "add_runs",
    "begin",
    "cancel",
    "cancel_some",
    "conclude",
    "count_states",
    "delete_some",
    "end_runs",
    "end_with_results",
    "expanded",
    "extend",
    "follow",
    "found",
    "hold_campaigns",
    "lacking",
    "over",
    "pause",
    "queue_again",
    "refuse",
    "remove",
    "rerun",
    "resume",
    "settle",
    "settle_if_over",
    "start_runs",
    "table",
]
