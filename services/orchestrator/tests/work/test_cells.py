"""Cells as settings: what is read, what is refused, and which cell a run gets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError
from weir_engine.executor.cell_pool import CellPool
from weir_engine.executor.live_cell import LiveCell, agents_of, read_cells
from weir_orchestrator.cli import main
from weir_orchestrator.settings import Settings
from weir_testing.agents import SECRET, agents, cell
from weir_testing.patience import until

ONE: dict[str, Any] = {
    "server": "http://s:7411",
    "gateway": "http://g:7411",
    "clients": ["http://c:7411"],
}


def test_cells_are_a_file_or_stand_there(tmp_path: Path) -> None:
    file = tmp_path / "cells.yaml"
    file.write_text(
        "- server: http://s:7411\n  gateway: http://g:7411/\n  clients: [http://c:7411]\n"
    )
    expected = (LiveCell(**ONE),)
    assert read_cells(str(file)) == expected
    assert read_cells(file.read_text()) == expected
    assert read_cells(json.dumps([ONE])) == expected
    assert read_cells(" ") == ()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("/nowhere/cells.yaml", "cells: /nowhere/cells.yaml — No such file"),
        ("[{", "cells: no YAML"),
        ("[]", "holds none"),
        ([{**ONE, "gateway": "g:7411"}], r"cells\[0\].gateway: g:7411 — allowed: http://HOST:PORT"),
        ([{**ONE, "gateway": "http://g"}], r"cells\[0\].gateway: http://g — allowed"),
        ([ONE, {**ONE, "clients": []}], r"cells\[1\]: no clients — give at least one"),
        ([{**ONE, "client": "http://c:1"}], r"cells\[0\].client: Extra inputs"),
        ([{"server": "http://s:1", "clients": ["http://c:1"]}], r"cells\[0\].gateway: Field requ"),
        ([ONE, ONE], r"cells\[1\]: http://s:7411 stands twice"),
    ],
)
def test_what_is_no_cell_is_refused_with_field_and_remedy(given: Any, told: str) -> None:
    text = given if isinstance(given, str) else json.dumps(given)
    with pytest.raises(ValueError, match=told):
        read_cells(text)


def test_cells_need_the_agents_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WEIR_AGENT_TOKEN", raising=False)
    with pytest.raises(ValidationError, match="set WEIR_AGENT_TOKEN"):
        Settings(cells=json.dumps([ONE]))
    monkeypatch.setenv("WEIR_CELLS", "nowhere.yaml")
    assert main(["worker"]) == 2
    assert "cells: nowhere.yaml" in capsys.readouterr().err


def test_workers_take_what_they_have_the_means_for() -> None:
    here = Settings(database="")
    elsewhere = Settings(database="postgresql+psycopg://weir@db/weir")
    asked = elsewhere.model_copy(update={"real_clock_here": True})
    assert here.clocks == asked.clocks == ("virtual", "real")
    assert elsewhere.clocks == ("virtual",)
    assert Settings(cells=json.dumps([ONE]), agent_token=SecretStr("x")).clocks == ("real",)


def test_a_name_with_several_addresses_is_as_many_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """As compose's own DNS answers after --scale client=2."""
    monkeypatch.setattr(
        "socket.gethostbyname_ex", lambda host: (host, [], ["10.0.0.3", "10.0.0.2"])
    )
    found = agents_of(LiveCell(**ONE, outside=("http://o:1",), chromium=("http://b:2",)))
    assert found.clients == ("http://10.0.0.2:7411", "http://10.0.0.3:7411")
    assert found.hosts(["bola", "outside", "bola"]) == {
        "server": "http://s:7411",
        "gateway": "http://g:7411",
        "client1": "http://10.0.0.2:7411",
        "client2": "http://10.0.0.2:1",
        "client3": "http://10.0.0.3:7411",
    }
    assert found.fit(["bola", "bola"])
    assert not found.fit(["bola", "bola", "bola"])
    assert found.fit(["outside"] * 2) and not found.fit(["outside"] * 3)
    assert found.hosts(["chromium"])["client1"] == "http://10.0.0.2:2"
    assert found.fit(["chromium"] * 2) and not found.fit(["chromium"] * 3)
    assert found.size() == 6


def pool_of(*its: dict[str, Any], token: str = SECRET) -> CellPool:
    return CellPool([LiveCell(**each) for each in its], token)


def test_a_run_gets_the_smallest_free_cell_that_is_large_enough(tmp_path: Path) -> None:
    roles = dict.fromkeys(("s1", "s2"), "server") | dict.fromkeys(("g1", "g2"), "gateway")
    roles |= dict.fromkeys(("c1", "c2", "c3"), "client")
    with agents(tmp_path, **roles) as its:
        small = cell(its["s1"], its["g1"], its["c1"])
        large = cell(its["s2"], its["g2"], its["c2"], its["c3"])
        pool = pool_of(large, small)
        with pool.watched():

            def placed(key: str, clients: int) -> str | None:
                found = pool.place(key, ["bola"] * clients)
                return found.gateway if found else None

            until(lambda: pool.free() == 2)
            assert placed("one", 1) == small["gateway"]
            assert placed("two", 2) == large["gateway"]
            assert not pool.free()
            pool.release("one")
            until(lambda: pool.free() == 1)
            assert placed("waits", 2) is None  # for the large one, which is busy
            assert placed("too many", 3) == small["gateway"]  # where it is told why it fails
            pool.release("two")
            until(lambda: pool.free() == 1)
            assert placed("waits", 2) == large["gateway"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda its: {"gateway": its["server2"].url}, "place of a gateway, and its role is server"),
        (lambda its: {"clients": ["http://127.0.0.1:1"]}, "the client's agent at .*:1 does not"),
        (lambda its: {"clients": ["http://nowhere.invalid:1"]}, "nowhere.invalid has no IPv4"),
    ],
)
def test_a_cell_that_is_not_whole_is_not_used_and_says_why(
    change: Callable[[Any], dict[str, Any]], told: str, tmp_path: Path
) -> None:
    roles = {"server": "server", "server2": "server", "gateway": "gateway", "client": "client"}
    with agents(tmp_path, **roles) as its:
        whole = cell(its["server"], its["gateway"], its["client"])
        pool = pool_of({**whole, **change(its)})
        with pool.watched():
            until(lambda: bool(pool.problem()))
        assert re.search(told, pool.problem())
        assert whole["gateway"] in pool.problem() or "gateway" in change(its)
        assert not pool.free()


def test_a_wrong_secret_is_told_before_a_run_is_claimed(tmp_path: Path) -> None:
    with agents(tmp_path, server="server", gateway="gateway", client="client") as its:
        pool = pool_of(cell(its["server"], its["gateway"], its["client"]), token="another")
        with pool.watched():
            until(lambda: "wrong token: set $WEIR_AGENT_TOKEN alike" in pool.problem())
