"""uvicorn as the API runs under it."""

from __future__ import annotations

from functools import partial

import uvicorn
from fastapi import FastAPI

from weir_orchestrator.api.http_protocol import PatientHttp

__all__ = ["server_of"]

_KEEP_ALIVE_S = 75
"""Longer than clients keep idle connections: theirs to close, or a request meets the closing."""


def server_of(app: FastAPI) -> uvicorn.Server:
    """A server of the application; `run(sockets=[...])` serves until it is told to end."""
    config = uvicorn.Config(
        app,
        http=partial(PatientHttp, awaited={}),  # type: ignore[arg-type] # uvicorn only calls it
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)
