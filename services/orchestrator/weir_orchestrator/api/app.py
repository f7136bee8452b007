"""The web application, put together."""

from __future__ import annotations

import importlib.metadata
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from weir_orchestrator.api import collector, manual, problems, reference, web
from weir_orchestrator.api.admission.admit import Admission
from weir_orchestrator.api.alarms.endpoints import router as alarms
from weir_orchestrator.api.artifacts.endpoints import router as artifacts
from weir_orchestrator.api.audit.endpoints import router as audit
from weir_orchestrator.api.auth import oidc
from weir_orchestrator.api.auth.endpoints import router as auth
from weir_orchestrator.api.auth.throttle import Throttle
from weir_orchestrator.api.badges.endpoints import router as badges
from weir_orchestrator.api.bisections.endpoints import router as bisections
from weir_orchestrator.api.campaigns.endpoints import router as campaigns
from weir_orchestrator.api.cards.endpoints import router as cards
from weir_orchestrator.api.events.endpoints import router as events
from weir_orchestrator.api.events.feed import Feed
from weir_orchestrator.api.files.endpoints import router as files
from weir_orchestrator.api.health import numbers
from weir_orchestrator.api.health.endpoints import router as health
from weir_orchestrator.api.health.readiness import Readiness
from weir_orchestrator.api.library.endpoints import router as library
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.reports.endpoints import router as reports
from weir_orchestrator.api.reproductions.endpoints import router as reproductions
from weir_orchestrator.api.results.endpoints import router as results
from weir_orchestrator.api.runs import series
from weir_orchestrator.api.runs.endpoints import router as runs
from weir_orchestrator.api.schedules.endpoints import router as schedules
from weir_orchestrator.api.security_headers import SecurityHeaders
from weir_orchestrator.api.teams.endpoints import router as teams
from weir_orchestrator.api.tokens.endpoints import router as tokens
from weir_orchestrator.api.trends.endpoints import router as trends
from weir_orchestrator.api.users.endpoints import router as users
from weir_orchestrator.api.webhooks.endpoints import router as webhooks
from weir_orchestrator.db import connect, make_sessions, utc_now
from weir_orchestrator.errors import TooLarge, TooSlow, Unavailable
from weir_orchestrator.objects import open_store
from weir_orchestrator.settings import LOOPBACK, Settings

__all__ = ["make_app"]

_ROUTERS: Final[tuple[APIRouter, ...]] = (
    auth,
    oidc.router,
    users,
    teams,
    tokens,
    audit,
    health,
    campaigns,
    files,
    library,
    runs,
    series.router,
    artifacts,
    results,
    reports,
    events,
    schedules,
    trends,
    alarms,
    bisections,
    badges,
    cards,
    reproductions,
    webhooks,
)
# Any endpoint may answer so.
_COMMON: Final = documented(TooLarge, TooSlow, Unavailable)


def _operations() -> APIRouter:
    """All operations at their paths."""
    found = APIRouter(generate_unique_id_function=lambda route: route.name)
    for router in _ROUTERS:
        found.include_router(router, prefix="/api/v1", responses=_COMMON)
    return found


# Once for all applications of a process: analysing them takes a fifth of a second.
_OPERATIONS: Final = _operations()


def make_app(settings: Settings) -> FastAPI:
    """The application on the settings' database and object store, whose schema must be there."""
    app = FastAPI(
        title="Weir",
        version=importlib.metadata.version("weir"),
        description="Experiments on HTTP adaptive streaming over shaped networks.",
        openapi_url=None,
        lifespan=collector.settled,
    )
    app.state.settings = settings
    app.state.now = utc_now
    app.state.engine = connect(settings.database_url)
    app.state.sessions = make_sessions(app.state.engine)
    app.state.reading = make_sessions(app.state.engine, read_only=True)
    app.state.feed = Feed(app.state.reading)
    app.state.objects = open_store(settings.store_url)
    app.state.readiness = Readiness(app.state.engine, app.state.objects)
    app.state.throttle = Throttle(app.state.sessions)
    problems.install(app)
    app.router.routes.extend(_OPERATIONS.routes)
    reference.install(app)
    numbers.install(app, app.state.reading)
    manual.install(app)
    web.install(app)
    app.add_middleware(Admission, settings=settings)
    oidc.install(app, settings)
    app.add_middleware(SecurityHeaders)
    if settings.auth == "none":
        # A page elsewhere must not reach a platform without login by a name of its own (rebinding).
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=sorted(LOOPBACK))
    return app
