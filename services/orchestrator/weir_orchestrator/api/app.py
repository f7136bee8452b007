"""The web application, put together."""

from __future__ import annotations

import importlib.metadata
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from weir_orchestrator.api import problems
from weir_orchestrator.db import connect, make_sessions
from weir_orchestrator.objects import open_store
from weir_orchestrator.settings import LOOPBACK, Settings

__all__ = ["make_app"]

_ROUTERS: Final[tuple[APIRouter, ...]] = ()


def make_app(settings: Settings) -> FastAPI:
    """The application on the settings' database and object store, whose schema must be there."""
    app = FastAPI(
        title="Weir",
        version=importlib.metadata.version("weir"),
        description="Experiments on HTTP adaptive streaming over shaped networks.",
        openapi_url="/api/v1/openapi.json",
        docs_url="/api/v1/docs",
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.engine = connect(settings.database_url)
    app.state.sessions = make_sessions(app.state.engine)
    app.state.reading = make_sessions(app.state.engine, read_only=True)
    app.state.objects = open_store(settings.store_url)
    problems.install(app)
    for router in _ROUTERS:
        app.include_router(router, prefix="/api/v1")
    if settings.auth == "none":
        # A page elsewhere must not reach a platform without login by a name of its own (rebinding).
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=sorted(LOOPBACK))
    return app
