"""Names and their options, from where each is defined."""

from __future__ import annotations

import math
from typing import Any

from weir.metrics import CATALOG
from weir.spec.names import PLAYERS
from weir_client import abr
from weir_client.options import PLAYER
from weir_lab import kernel

from weir_orchestrator.api.library.schemas import (
    Choices,
    MetricOut,
    OptionOut,
    PlayerOut,
)

__all__ = ["choices"]


def choices() -> Choices:
    """All names that a campaign may use here."""
    built = kernel.find()
    return Choices(
        players=[PlayerOut(name=name, options=_options(name)) for name in PLAYERS],
        congestion_controls=list(built.congestion_controls) if built else [],
        metrics=[MetricOut.model_validate(info) for info in CATALOG.values()],
    )


def _options(player: str) -> list[OptionOut]:
    return [
        OptionOut(
            name=name,
            text=option.text,
            kind=option.kind,
            default=option.default,
            low=_finite(option.low),
            high=_finite(option.high),
            choices=list(option.choices),
        )
        for name, option in {**abr.options_of(player), **PLAYER}.items()
    ]


def _finite(bound: Any) -> float | None:
    return float(bound) if math.isfinite(bound) else None
