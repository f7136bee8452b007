"""Chromium as a player, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from weir_client.chromium.devtools import Browser
from weir_client.web_player import BROWSER
from weir_lab.players import browser

__all__ = ["needs_chromium", "running", "session_of"]

needs_chromium = pytest.mark.skipif(
    not browser.is_there(), reason="chromium-headless-shell is not installed"
)
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")


@contextmanager
def running(
    home: Path, hear: Callable[[dict[str, Any]], None] = lambda _: None
) -> Iterator[Browser]:
    """One with an empty page, outside of a cell. home: a folder for what it keeps.

    hear: called with each event of its DevTools.
    """
    command = [BROWSER, *_FLAGS, f"--user-data-dir={home}/profile", "about:blank"]
    made = Browser(command, {"HOME": str(home), "PATH": "/usr/bin:/bin"}, hear)
    try:
        yield made
    finally:
        made.end()


def session_of(made: Browser) -> str:
    """A session with its page."""
    (target,) = made.ask("Target.getTargets")["targetInfos"]
    attached = made.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
    return str(attached["sessionId"])
