"""What there is to choose from."""

from __future__ import annotations

from typing import Any

from weir_sdk.call import Call, Json
from weir_sdk.models import Choices, ShippedOut

__all__ = ["list_choices", "list_shipped_campaigns", "show_campaign_schema"]


def list_shipped_campaigns() -> Call[list[ShippedOut]]:
    """The campaigns that come with Weir; each can be submitted as it is."""
    return Call("GET", "/library/campaigns", Json(list[ShippedOut]))


def show_campaign_schema() -> Call[dict[str, Any]]:
    """The JSON Schema of campaign files."""
    return Call("GET", "/library/schema", Json(dict[str, Any]))


def list_choices() -> Call[Choices]:
    """Players, queue disciplines, congestion controls, shaping methods, metrics."""
    return Call("GET", "/library/choices", Json(Choices))
