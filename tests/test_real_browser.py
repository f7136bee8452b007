"""Chromium in a host of its own on the real clock, in a cell of lab kernels."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from weir.errors import RunFailure
from weir_lab import players
from weir_testing import outside_players
from weir_testing.cells import broken, bulk, client
from weir_testing.chromium import needs_chromium
from weir_testing.outside_players import Namespace, needs_namespaces

pytestmark = [
    pytest.mark.kernel,
    needs_chromium,
    needs_namespaces,
    pytest.mark.usefixtures("kept_players"),
]

PLAYER = (sys.executable, "-m", "weir_client.chromium")


@pytest.fixture(scope="module")
def namespace() -> Iterator[Namespace]:
    with outside_players.namespace() as made:
        yield made


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_PLAYERS", str(players.root()))


def browser(version: str = "5.2.1", **fields: Any) -> dict[str, Any]:
    return client("chromium", options={"version": version, "settings": {}}, **fields)


def test_it_plays_with_its_events_frames_and_console_in_the_run(
    namespace: Namespace, tmp_path: Path
) -> None:
    # A busy machine takes seconds to start a browser.
    asked = (browser(start_s=6.0), bulk())
    changes = {"duration_s": 18.0}
    result = outside_players.run(namespace, tmp_path, *asked, player=PLAYER, changes=changes)
    assert not broken(result)
    found = result.data.players[0]
    # It has the film's beginning without a gap.
    came = sorted(set(found["segment"][found["status"] == 206]))
    assert len(came) >= 3 and came == list(range(len(came)))
    ports = {flow["remote_port"] for flow in result.data.flows if flow["client"] == 1}
    # Where it opens a second connection, none is known.
    assert set(found["connection"]) == (ports if len(ports) == 1 else {0})
    events = [each for each in result.data.events if each.get("client") == 1]
    names = [each["name"] for each in events if each["event"] == "media"]
    assert {"loadedmetadata", "playing"} <= set(names)
    (frames,) = [each for each in events if each["event"] == "frames"]
    assert frames["frames"] > 10
    assert "HeadlessChrome/" in result.log


def test_a_version_that_is_not_there_is_told(namespace: Namespace, tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match=r"dash.js 5\.1\.0 is not here; there is .*5\.2\.1"):
        outside_players.run(namespace, tmp_path, browser("5.1.0"), player=PLAYER)


def test_an_agent_with_another_player_is_no_browser(namespace: Namespace, tmp_path: Path) -> None:
    with pytest.raises(RunFailure, match="its player is chromium, and this agent has the player"):
        outside_players.run(namespace, tmp_path, browser(), player=PLAYER, plays="outside")
