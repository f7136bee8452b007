"""The lab kernel: its source, its build, and the builds that this machine has."""

from weir_lab.kernel.build import TOOLS, build
from weir_lab.kernel.cache import Kernel, find, installed, verify

__all__ = ["TOOLS", "Kernel", "build", "find", "installed", "verify"]
