"""The spec as JSON Schema (draft 2020-12), for editors, the API and the web."""

from __future__ import annotations

from typing import Any

from weir.spec.campaign import Campaign
from weir.spec.experiment import Experiment
from weir.spec.players import PLAYERS

__all__ = ["json_schema"]


def json_schema() -> dict[str, Any]:
    """Schema of a campaign file. Defaults and examples are written as a user would write them."""
    reference = "#/$defs/{model}"
    schema = Campaign.model_json_schema(ref_template=reference)
    experiment = Experiment.model_json_schema(by_alias=True, ref_template=reference)
    definitions = {**schema.pop("$defs", {}), **experiment.pop("$defs", {})}
    description = schema["properties"]["experiment"]["description"]
    schema["properties"]["experiment"] = {
        "$ref": reference.format(model="Experiment"),
        "description": f"{description} Keys that a factor or the base gives may be left out.",
    }
    client = definitions["Client"]
    client["allOf"] = [_options_of(name) for name in PLAYERS]
    for model in PLAYERS.values():
        definitions[model.__name__] = model.model_json_schema(ref_template=reference)
    # With a base or a factor, even keys that an experiment needs may stand elsewhere.
    experiment.pop("required", None)
    schema["required"] = ["name"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "$defs": {**definitions, "Experiment": experiment},
    }


def _options_of(player: str) -> dict[str, Any]:
    """Where a client has this player, what its options are."""
    reference = f"#/$defs/{PLAYERS[player].__name__}"
    return {
        "if": {"properties": {"player": {"const": player}}, "required": ["player"]},
        "then": {"properties": {"options": {"$ref": reference}}},
    }
