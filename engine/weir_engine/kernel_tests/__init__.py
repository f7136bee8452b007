"""The kernel's own tests (tools/testing/selftests of its source) in lab kernels: packetdrill's
suite, and kselftests by name."""

from weir_engine.kernel_tests.carry_out import Outcome, carry_out
from weir_engine.kernel_tests.case import Case
from weir_engine.kernel_tests.expected import Verdict, judged, known_failures

__all__ = ["Case", "Outcome", "Verdict", "carry_out", "judged", "known_failures"]
