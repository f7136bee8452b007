"""The lab kernel: its source, its build, and the builds that this machine has."""

from weir_lab.kernel.build import TOOLS, build
from weir_lab.kernel.cache import Kernel, find, installed, verify
from weir_lab.kernel.locks import Busy, hold
from weir_lab.kernel.prune import Pruned, prune

__all__ = [
    "TOOLS",
    "Busy",
    "Kernel",
    "Pruned",
    "build",
    "find",
    "hold",
    "installed",
    "prune",
    "verify",
]
