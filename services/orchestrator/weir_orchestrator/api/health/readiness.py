"""Looking at database and store, by one thread of its own however many ask at once."""

from __future__ import annotations

import asyncio

from anyio import CapacityLimiter, to_thread
from sqlalchemy import Engine

from weir_orchestrator.db import schema
from weir_orchestrator.objects import ObjectStore

__all__ = ["Readiness"]


class Readiness:
    """For one event loop. Needs no place and no thread that requests wait for."""

    def __init__(self, engine: Engine, objects: ObjectStore) -> None:
        self._engine = engine.execution_options(read_only=True)
        self._objects = objects
        self._look: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Raises CannotRun. Who asks while somebody looks is told what that one finds."""
        if self._look is None:
            self._look = asyncio.create_task(self._look_once())
        await asyncio.shield(self._look)

    async def _look_once(self) -> None:
        try:
            await to_thread.run_sync(self._check, limiter=CapacityLimiter(1))
        finally:
            self._look = None

    def _check(self) -> None:
        schema.check(self._engine)
        self._objects.check()
