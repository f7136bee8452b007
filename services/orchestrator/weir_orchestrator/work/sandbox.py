"""Whether a worker may carry out code that campaigns bring; where it cannot be confined, not."""

from __future__ import annotations

import os
import platform

from weir_engine.errors import CannotRun
from weir_lab import confine

from weir_orchestrator.settings import Settings

__all__ = ["refusal", "require_user"]


def refusal(settings: Settings) -> str:
    """Why players and C code that campaigns bring are not run here; empty where they are.

    On a platform of one person's own, without login, they are that person's.
    """
    missing = confine.lacking()
    if not missing or settings.unconfined or not settings.shared:
        return ""
    return (
        f"code that campaigns bring is not run on {platform.node()}, whose kernel offers no "
        f"sandbox: it lacks {missing}. Use a kernel that has it, or set WEIR_UNCONFINED=true "
        "there to run such code with the worker's rights"
    )


def require_user(settings: Settings) -> None:
    """Raises CannotRun where a worker of a platform with login is root and was not told to be."""
    if os.geteuid() == 0 and settings.auth == "login" and not settings.as_root:
        raise CannotRun(
            "user: root — a worker that runs others' code wants a user without rights; start it as "
            "one, or set WEIR_AS_ROOT=true"
        )
