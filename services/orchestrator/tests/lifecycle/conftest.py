"""The database of a campaign's life."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session, sessionmaker
from weir_orchestrator.db import connect, make_sessions
from weir_testing.platform.life import WATCH


@pytest.fixture(scope="module")
def sessions(
    filled_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sessionmaker[Session]]:
    """A database that notes every state that is written."""
    path = tmp_path_factory.mktemp("lifecycle") / "weir.db"
    shutil.copy(filled_sqlite, path)
    engine = connect(f"sqlite:///{path}")
    made = make_sessions(engine)
    with made.begin() as session:
        for statement in WATCH:
            session.execute(text(statement))
    yield made
    engine.dispose()
