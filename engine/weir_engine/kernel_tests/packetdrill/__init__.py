"""The kernel's packetdrill suite: the timing of its TCP, by scripts."""

from weir_engine.kernel_tests.packetdrill.suite import Suite, case, open_suite
from weir_engine.kernel_tests.packetdrill.tools import make_tools

__all__ = ["Suite", "case", "make_tools", "open_suite"]
