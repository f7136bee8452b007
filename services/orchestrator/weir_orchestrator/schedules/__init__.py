"""Campaigns that are submitted again and again: when, and what happens at each time."""

from weir_orchestrator.schedules.bisection import begin, bisect_next
from weir_orchestrator.schedules.carry_out import run_now
from weir_orchestrator.schedules.judged import judged
from weir_orchestrator.schedules.mail import members, send_mail
from weir_orchestrator.schedules.nights import judge_next
from weir_orchestrator.schedules.subjects import fetch, keep, sources, sources_of_all, with_fetched
from weir_orchestrator.schedules.tick import tick
from weir_orchestrator.schedules.times import check, following, upcoming
from weir_orchestrator.schedules.trend_runs import trend_runs
from weir_orchestrator.schedules.turns import Job, Take, Turns
from weir_orchestrator.schedules.versions import night_of

__all__ = [
    "Job",
    "Take",
    "Turns",
    "begin",
    "bisect_next",
    "check",
    "fetch",
    "following",
    "judge_next",
    "judged",
    "keep",
    "members",
    "night_of",
    "run_now",
    "send_mail",
    "sources",
    "sources_of_all",
    "tick",
    "trend_runs",
    "upcoming",
    "with_fetched",
]
