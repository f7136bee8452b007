"""Files in git repositories, at the newest commit of a branch or at one of its history; tags."""

from weir_orchestrator.repositories.fetch import Fetched, newest, opened
from weir_orchestrator.repositories.source import Source, check
from weir_orchestrator.repositories.tags import commit_of_tag

__all__ = ["Fetched", "Source", "check", "commit_of_tag", "newest", "opened"]
