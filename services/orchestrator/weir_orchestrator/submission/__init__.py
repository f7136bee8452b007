"""From what somebody submits to a campaign's runs in the database."""

from weir_orchestrator.submission.expansion import Expander
from weir_orchestrator.submission.submission import Submission
from weir_orchestrator.submission.submit import checked, submit

__all__ = ["Expander", "Submission", "checked", "submit"]
