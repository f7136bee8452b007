"""Was the run what was asked? Asked, applied and measured, side by side. Pure.

A run with a check that fails is *invalid*: its numbers belong to other conditions.
"""

from weir_lab.checks.every import all_checks
from weir_lab.checks.idle_path import idle_rtt, idle_rtts, of_path, of_port
from weir_lab.checks.row import check
from weir_lab.checks.transport import control_options

__all__ = [
    "all_checks",
    "check",
    "control_options",
    "idle_rtt",
    "idle_rtts",
    "of_path",
    "of_port",
]
