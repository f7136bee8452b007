"""Fields of a campaign file, from the JSON Schema that `weir schema` prints."""

from __future__ import annotations

from weir.spec.schema import json_schema

from docsite.schema import section

__all__ = ["page"]

_INTRODUCTION = """# Fields of a campaign

Every field of a [campaign file](../campaigns.md), as `weir schema` has it for editors.

"""


def page() -> str:
    """A table for the campaign, one for the experiment, and one for each of its parts."""
    schema = json_schema()
    parts = dict(sorted(schema["$defs"].items()))
    whole = {**schema, "description": "The file as a whole."}
    ordered = {"Campaign": whole, "Experiment": parts.pop("Experiment"), **parts}
    return _INTRODUCTION + "".join(
        section(name, part, lambda of: f"#{of.lower()}") for name, part in ordered.items()
    )
