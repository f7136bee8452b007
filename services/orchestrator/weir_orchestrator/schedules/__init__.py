"""Campaigns that are submitted again and again: when, and what happens at each time."""

from weir_orchestrator.schedules.carry_out import run_now
from weir_orchestrator.schedules.tick import tick
from weir_orchestrator.schedules.times import check, following, upcoming

__all__ = ["check", "following", "run_now", "tick", "upcoming"]
