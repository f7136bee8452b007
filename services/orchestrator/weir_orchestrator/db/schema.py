"""The schema: brought to a revision by migrations/, never by the models themselves."""

from __future__ import annotations

from functools import cache

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine
from weir_engine.errors import CannotRun

from weir_orchestrator import shipped

__all__ = ["check", "downgrade", "upgrade"]


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the database to a revision; safe when several start at once (on Postgres)."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7349015)")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Bring the database back to an older revision; `base` is an empty one."""
    with engine.begin() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


def check(engine: Engine) -> None:
    """Raises CannotRun where the database is not at the revision that this program needs."""
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    needed = _needed()
    if current != needed:
        raise CannotRun(
            f"the database is at revision {current or 'none'}, this program needs {needed}: "
            "`weir db upgrade` brings it there."
        )


@cache
def _needed() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(shipped.folder("migrations")))
    return config
