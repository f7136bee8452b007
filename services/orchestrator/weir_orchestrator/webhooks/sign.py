"""A message as Standard Webhooks has it (standardwebhooks.com): headers, body, signature."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from standardwebhooks.webhooks import Webhook

__all__ = ["new_secret", "signed"]

_SECRET_BYTES: Final = 32


def new_secret() -> str:
    """A new secret to sign with."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def signed(
    message_id: str, payload: dict[str, Any], signers: Sequence[str], now: datetime
) -> tuple[dict[str, str], bytes]:
    """Headers and body, with a signature by each secret: a receiver needs to know one of them.

    The id stays the same when a message is sent again.
    """
    body = json.dumps(payload)
    headers = {
        "content-type": "application/json",
        "user-agent": "weir-webhooks",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(
            Webhook(secret).sign(message_id, now, body) for secret in signers
        ),
    }
    return headers, body.encode()
