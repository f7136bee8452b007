"""`weir schema`: the JSON Schema of campaign files, for editors."""

from __future__ import annotations

from weir_orchestrator.cli.common import print_json

__all__ = ["schema"]


def schema() -> None:
    """Print the JSON Schema of campaign files."""
    from weir.spec.schema import json_schema  # noqa: PLC0415 - slow to import

    print_json(json_schema())
