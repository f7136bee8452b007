"""What an ended run left in the object store: its files, and series of them for plots."""

from weir_orchestrator.recorded.curves import Curve
from weir_orchestrator.recorded.files import Part, RunFile, RunFiles
from weir_orchestrator.recorded.kept import files_of_campaign, files_of_key
from weir_orchestrator.recorded.kinds import KINDS, curves

__all__ = [
    "KINDS",
    "Curve",
    "Part",
    "RunFile",
    "RunFiles",
    "curves",
    "files_of_campaign",
    "files_of_key",
]
