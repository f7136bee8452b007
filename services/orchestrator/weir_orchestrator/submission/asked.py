"""A submission as it was asked for, before anything was read or checked."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked:
    """document: YAML or JSON. files: the name the document uses -> SHA-256 of the content.

    overrides: dotted path in the experiment -> value. replicates, seed: instead of the
    document's. priority: higher goes first within a team.
    """

    document: str
    files: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)
    replicates: int | None = None
    seed: int | None = None
    priority: int = 0
    schedule_id: uuid.UUID | None = None
    cloned_from: uuid.UUID | None = None

    def digest(self) -> str:
        """SHA-256 that is equal for equal submissions only."""
        content = json.dumps(vars(self), sort_keys=True, default=str)
        return hashlib.sha256(content.encode()).hexdigest()
