"""What the garbage collector does while the application serves."""

from __future__ import annotations

import gc
from pathlib import Path

from fastapi import FastAPI
from fastapi.testclient import TestClient
from weir_orchestrator.api.collector import settled


class _Cycle:
    def __init__(self, gone: Path) -> None:
        self.itself = self
        self.gone = gone

    def __del__(self) -> None:
        self.gone.touch()


def test_only_what_came_while_serving_is_looked_at(tmp_path: Path) -> None:
    usual = gc.get_threshold()
    before = _Cycle(tmp_path / "before")
    with TestClient(FastAPI(lifespan=settled)):
        assert gc.get_threshold()[0] >= 10_000
        during = _Cycle(tmp_path / "during")
        del before, during
        gc.collect()
        assert [path.name for path in tmp_path.iterdir()] == ["during"]
    assert gc.get_threshold() == usual
    gc.collect()
    assert {path.name for path in tmp_path.iterdir()} == {"before", "during"}
