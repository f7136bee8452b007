"""Shipped campaigns are read once, however many ask at first."""

from __future__ import annotations

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from weir_orchestrator import submission
from weir_orchestrator.submission import library


def test_who_asks_while_they_are_read_gets_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submission, "library", library)  # what it is again afterwards
    monkeypatch.delitem(sys.modules, library.__name__)
    just_started = importlib.import_module(library.__name__)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(just_started.campaigns) for _ in range(4)]
    first, *others = (each.result() for each in asked)
    assert first[0].path == "quickstart.yaml"
    assert all(each is first for each in others)
