"""What an ended run left in the object store: its files, and series of them for plots."""

from weir_orchestrator.recorded.curves import Curve
from weir_orchestrator.recorded.files import RunFile, RunFiles
from weir_orchestrator.recorded.kinds import KINDS, curves

__all__ = ["KINDS", "Curve", "RunFile", "RunFiles", "curves"]
