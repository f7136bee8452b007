"""How the programs of clients that are players of others are started."""

from __future__ import annotations

from typing import Any

from weir_client import web_player
from weir_testing.cells import client, experiment


def started(player: str) -> web_player.Program:
    options = {"version": "5.2.1", "settings": {"debug": {"logLevel": 3}}}
    asked = experiment({}, client(player, options=options, start_s=2.0))
    return web_player.role(asked, 1, 5, "10.0.1.2", 7.0, "/mnt", "native-1")


def test_chromium_is_started_by_the_guest_s_python_with_dash_js_and_nothing_of_node() -> None:
    chromium, dashjs = started("chromium"), started("dashjs")
    assert chromium["args"]["command"][0] == "/proc/self/exe"
    words = chromium["args"]["command"][-1]
    assert web_player.BROWSER in words and "players/dashjs-5.2.1/dash" in words
    told: dict[str, Any] = dict(dashjs["args"]["variables"])
    beside = {"LD_PRELOAD", "UV_THREADPOOL_SIZE", "WEIR_BROWSER", "WEIR_NATIVE"}
    assert told.keys() - chromium["args"]["variables"].keys() == beside
    assert {name: told[name] for name in told.keys() - beside} == chromium["args"]["variables"]


def test_it_may_have_more_processes_than_node() -> None:
    assert started("chromium")["processes"] > 64
    assert "processes" not in started("dashjs")


def test_it_plays_by_the_script_of_dash_js() -> None:
    assert web_player.script("chromium", "5.2.0") == web_player.script("dashjs", "5.2.0")
