"""Kselftests by name: scripts and programs of tools/testing/selftests."""

from weir_engine.kernel_tests.kselftests.kselftest import Kselftest, chosen
from weir_engine.kernel_tests.kselftests.programs import make_tools

__all__ = ["Kselftest", "chosen", "make_tools"]
