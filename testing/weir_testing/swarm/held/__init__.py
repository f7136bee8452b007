"""What must hold of a run, whatever was asked: each rule tells where it does not."""

from weir_testing.swarm.held.broken import Broken
from weir_testing.swarm.held.every import all_broken

__all__ = ["Broken", "all_broken"]
