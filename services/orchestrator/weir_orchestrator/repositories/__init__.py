"""Files in git repositories, at the newest commit of a branch or at one of its history."""

from weir_orchestrator.repositories.command import LIMIT_S
from weir_orchestrator.repositories.fetch import Fetched, newest, opened
from weir_orchestrator.repositories.source import Source, check

__all__ = ["LIMIT_S", "Fetched", "Source", "check", "newest", "opened"]
