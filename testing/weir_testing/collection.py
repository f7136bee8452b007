"""No garbage is looked for while tests are collected: all that is made then stays."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest

# Before the conftests, whose imports take a third of it.
gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    try:
        return (yield)
    finally:
        # Nor is it looked at again by collections in the tests.
        gc.freeze()
        gc.enable()
