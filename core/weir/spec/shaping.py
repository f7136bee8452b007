"""Shaping methods: how the bandwidth manager holds clients to their shares."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from weir import resolved_network
from weir.spec.model import Model
from weir.spec.quantities import RatioUnbounded

__all__ = ["NoShaping", "Shaping"]


class _Shaping(Model):
    method: str
    headroom: RatioUnbounded = Field(
        default="10%",
        validate_default=True,
        description="Shaping rate above the bitrate of the client's optimal level.",
    )

    def resolve(self) -> resolved_network.Shaping:
        """Its resolved form."""
        return {"method": self.method, "headroom": self.headroom}


class NoShaping(_Shaping):
    """No shares are held; clients get what their congestion control takes."""

    method: Literal["none"] = "none"


class Htbm(_Shaping):
    """Hierarchical token bucket method: a class and a queue for each session."""

    method: Literal["htbm"]


class Rwtm(_Shaping):
    """Receive window tuning method: the window in the client's ACKs limits the server."""

    method: Literal["rwtm"]


def _none_unless_said(value: Any) -> Any:
    return {"method": "none", **value} if isinstance(value, dict) else value


Shaping = Annotated[
    NoShaping | Htbm | Rwtm,
    Field(discriminator="method"),
    BeforeValidator(_none_unless_said),
]
"""Any of them; none where no method is named."""
