"""The lab kernel: its source, its build, and the builds that this machine has."""

from weir_lab.kernel.build import TOOLS, build, prepare
from weir_lab.kernel.cache import Damaged, Kernel, damaged, find, installed, verify
from weir_lab.kernel.changes import Changes
from weir_lab.kernel.changes import of as changes_of
from weir_lab.kernel.compiler import Progress
from weir_lab.kernel.locks import Busy, hold
from weir_lab.kernel.patching import rehearse
from weir_lab.kernel.prune import Pruned, prune

__all__ = [
    "TOOLS",
    "Busy",
    "Changes",
    "Damaged",
    "Kernel",
    "Progress",
    "Pruned",
    "build",
    "changes_of",
    "damaged",
    "find",
    "hold",
    "installed",
    "prepare",
    "prune",
    "rehearse",
    "verify",
]
