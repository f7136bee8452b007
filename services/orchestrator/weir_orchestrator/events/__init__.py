"""Telling what happened: a row per event, in the transaction in which it happens."""

from weir_orchestrator.events.emit import KINDS, emit
from weir_orchestrator.events.in_order import InOrder

__all__ = ["KINDS", "InOrder", "emit"]
