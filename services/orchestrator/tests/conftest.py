"""Fixtures of the orchestrator's tests."""

from weir_testing.platform.fixtures import (
    filled_sqlite,
    platform,
    platform_settings,
    platform_with,
)
from weir_testing.platform.objects import store
from weir_testing.platform.webhooks import deliverer, open_platform, receiver, webhook
from weir_testing.stand_in.fixtures import campaign_file, environment, kernel, store_path

__all__ = [
    "campaign_file",
    "deliverer",
    "environment",
    "filled_sqlite",
    "kernel",
    "open_platform",
    "platform",
    "platform_settings",
    "platform_with",
    "receiver",
    "store",
    "store_path",
    "webhook",
]
