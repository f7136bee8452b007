"""Names and their options, from where each is defined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weir.dashjs import leaves, types_of
from weir.metrics import CATALOG
from weir.pinned import Package
from weir.programs import PINNED, scripted_by
from weir.spec.players import PLAYERS
from weir_lab import kernel

from weir_orchestrator.api.library.schemas import (
    Choices,
    MetricOut,
    OptionOut,
    PlayerOut,
    SettingOut,
)

__all__ = ["choices"]

TREE = "keys and values"


def choices() -> Choices:
    """All names that a campaign may use here."""
    built = kernel.find()
    return Choices(
        players=[
            PlayerOut(name=name, options=_options(name), settings=_settings(name))
            for name in PLAYERS
        ],
        congestion_controls=list(built.congestion_controls) if built else [],
        metrics=[MetricOut.model_validate(info) for info in CATALOG.values()],
    )


def _options(player: str) -> list[OptionOut]:
    return [
        OptionOut(
            name=name,
            text=said["description"],
            kind=kind,
            default=None if kind == TREE else said.get("default"),
            low=said.get("minimum"),
            high=said.get("maximum"),
            choices=said.get("enum", []),
        )
        for name, schema in PLAYERS[player].model_json_schema()["properties"].items()
        for said in [{**schema.get("anyOf", [{}])[0], **schema}]
        for kind in [_kind(said)]
    ]


def _settings(player: str) -> list[SettingOut]:
    pinned = PINNED.get(scripted_by(player))
    if pinned is None:
        return []
    found: dict[str, SettingOut] = {}
    for version in pinned.versions:
        for name, default, types in _offered(pinned.package(version)):
            before = found[name].versions if name in found else []
            found[name] = SettingOut(
                name=name, default=default, types=types, versions=[*before, version]
            )
    return list(found.values())


def _offered(package: Package) -> Iterator[tuple[str, Any, list[str]]]:
    """(name, default, types) of the settings that take a plain value or a list."""
    defaults = dict(leaves(package.settings))
    for name in [*defaults, *(each for each in package.types if each not in defaults)]:
        types = types_of(defaults.get(name), name, package.types)
        if types and "object" not in types:
            yield name, defaults.get(name), list(types)


def _kind(said: dict[str, Any]) -> str:
    if "enum" in said:
        return "choice"
    kinds = {"integer": "whole number", "boolean": "on/off", "object": TREE}
    return kinds.get(said["type"], "number")
