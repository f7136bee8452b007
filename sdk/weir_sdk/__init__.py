"""Weir's Python client.

    from weir_sdk import Client

    with Client("http://127.0.0.1:8080") as weir:
        quickstart = next(c for c in weir.list_shipped_campaigns() if c.name == "quickstart")
        made = weir.submit_campaign("local", campaign(quickstart.document))
        weir.wait_for_campaign(made.id)

`AsyncClient` is the same on an event loop. Answers are pydantic models (`weir_sdk.models`), curves
NumPy arrays, tables those of Arrow; errors are those of `weir_sdk.errors`.
"""

from __future__ import annotations

from weir_sdk import errors, models
from weir_sdk.calls.campaigns import campaign
from weir_sdk.client import AsyncClient, Client
from weir_sdk.errors import ApiError, ClientError
from weir_sdk.events import Event, WatchEnded
from weir_sdk.procedures import ENDED, WaitedTooLong
from weir_sdk.series import Curve, Series

__all__ = [
    "ENDED",
    "ApiError",
    "AsyncClient",
    "Client",
    "ClientError",
    "Curve",
    "Event",
    "Series",
    "WaitedTooLong",
    "WatchEnded",
    "campaign",
    "errors",
    "models",
]
