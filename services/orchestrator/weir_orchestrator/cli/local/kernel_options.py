"""Options of the commands that take changes to a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["ConfigOption", "PatchesOption", "VersionOption"]

PatchesOption = Annotated[
    list[Path] | None,
    typer.Option("--patch", help="Patch on top of the lab's, in this order. Repeatable."),
]
ConfigOption = Annotated[
    list[str] | None,
    typer.Option("--config", help="Kernel option on top: TCP_CONG_YEAH=y. Repeatable."),
]
VersionOption = Annotated[str | None, typer.Option("--version", help="Another Linux, such as 7.2.")]
