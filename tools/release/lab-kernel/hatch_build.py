"""Marks the wheel as one of this machine's architecture, and of no Python's in particular."""

from __future__ import annotations

import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Tagged(BuildHookInterface[Any]):
    """The platform tag is narrowed down afterwards, by what the kernel links to."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built."""
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
