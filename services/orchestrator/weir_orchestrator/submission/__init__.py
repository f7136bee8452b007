"""From what somebody submits to a campaign's runs in the database."""

from weir_orchestrator.submission.asked import Asked
from weir_orchestrator.submission.expansion import expand_some
from weir_orchestrator.submission.submit import checked, submit

__all__ = ["Asked", "checked", "expand_some", "submit"]
