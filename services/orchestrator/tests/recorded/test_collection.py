"""Garbage is looked for again when the last one has read its runs."""

from __future__ import annotations

import gc
from threading import Event, Thread

import pytest
from weir_orchestrator.recorded.collection import not_collected
from weir_testing.patience import PATIENCE_S


def test_it_goes_on_after_the_last_of_several_threads() -> None:
    inside, leave = Event(), Event()

    def read() -> None:
        with not_collected():
            inside.set()
            leave.wait(PATIENCE_S)

    other = Thread(target=read)
    other.start()
    inside.wait(PATIENCE_S)
    with not_collected(), not_collected():
        assert not gc.isenabled()
    assert not gc.isenabled(), "the other one still reads"
    leave.set()
    other.join()
    assert gc.isenabled()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="no run"), not_collected():
        raise ValueError("no run")
    assert gc.isenabled()
