"""The kernel's own packetdrill tests (tools/testing/selftests/net/packetdrill) in lab kernels."""

from weir_engine.packetdrill.carry_out import Outcome, carry_out
from weir_engine.packetdrill.expected import Verdict, judged, known_failures
from weir_engine.packetdrill.suite import Case, Suite, open_suite
from weir_engine.packetdrill.tools import make_tools

__all__ = [
    "Case",
    "Outcome",
    "Suite",
    "Verdict",
    "carry_out",
    "judged",
    "known_failures",
    "make_tools",
    "open_suite",
]
