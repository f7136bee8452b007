"""Alembic's environment: runs on the connection it is given (weir_orchestrator.db.schema)."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from weir_orchestrator.db import Base
from weir_orchestrator.db.base import UtcDateTime


def _render(kind: str, item: Any, autogenerate: AutogenContext) -> str | Literal[False]:
    if kind == "type" and isinstance(item, UtcDateTime):
        autogenerate.imports.add("from weir_orchestrator.db.base import UtcDateTime")
        return "UtcDateTime()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=_render,
    compare_type=True,
)
context.run_migrations()
