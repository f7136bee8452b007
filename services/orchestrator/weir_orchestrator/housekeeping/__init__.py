"""Chores: runs are written, leases reaped, campaigns ended, old things removed."""

from weir_orchestrator.housekeeping.housekeeper import CHORES, Chore, Housekeeper, Platform

__all__ = ["CHORES", "Chore", "Housekeeper", "Platform"]
