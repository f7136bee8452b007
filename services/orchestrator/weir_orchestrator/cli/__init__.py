"""The `weir` command: a file per subcommand, put together in `app`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code (docs/cli.md). Imports nothing heavy by itself:
    worker processes import this module too."""
    from weir_orchestrator.cli.app import run  # noqa: PLC0415

    return run(list(sys.argv[1:] if arguments is None else arguments))
