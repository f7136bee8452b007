"""Whether a machine has what a player needs, and how it says what it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir_lab.players import browser, kept
from weir_testing.cells import client, experiment
from weir_testing.chromium import needs_chromium

CHROMIUM = client("chromium", options={"version": "5.2.1", "settings": {}})


def test_without_the_browser_the_run_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser, "is_there", lambda: False)
    with pytest.raises(
        RunFailure, match=r"client 2: Chromium's .* apt-get install chromium-headless-shell"
    ):
        kept.needed_by(experiment({}, client(), CHROMIUM))


@needs_chromium
def test_without_its_script_it_is_refused_and_node_is_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WEIR_PLAYERS", str(tmp_path))
    monkeypatch.setattr(kept, "node", lambda: None)
    with pytest.raises(
        RunFailure, match=r"client 1: dashjs 5\.2\.1 is not on this machine .* weir player fetch"
    ):
        kept.needed_by(experiment({}, CHROMIUM))


@needs_chromium
@pytest.mark.usefixtures("kept_players")
def test_with_both_it_plays_without_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "node", lambda: None)
    assert kept.needed_by(experiment({}, CHROMIUM)) == kept.root()
    assert kept.lacking("chromium", "5.2.1") == ""
    assert "Node.js is not installed" in kept.lacking("dashjs", "5.2.1")
