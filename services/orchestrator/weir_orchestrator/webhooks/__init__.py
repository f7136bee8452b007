"""Calls to other systems: what is told, to which addresses, how often it is tried."""

from weir_orchestrator.webhooks.deliver import Deliverer
from weir_orchestrator.webhooks.plan import KINDS, TEST, Planner
from weir_orchestrator.webhooks.sign import new_secret

__all__ = ["KINDS", "TEST", "Deliverer", "Planner", "new_secret"]
