"""Several paths: MPTCP over them, its checks, and what each path carries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.resolved import Experiment
from weir.rundir.parquet import parquet_bytes
from weir.rundir.schemas import PLAYER, QUEUE, TCP, with_path
from weir_lab.collect import CellResult
from weir_testing.cells import Runner, broken, checks_of, rows, sent_bps
from weir_testing.node_players import WALL_LIMIT_S
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel

CLIENTS = Path(__file__).parents[1] / "services/client"
NODE_PLAYER = "./node-player/"
"""The reference player of one's own."""
FILM = {"player": "fixed", "options": {"level": 0}, "buffer": "600s"}


def path(rate: str, rtt: str, **more: Any) -> dict[str, Any]:
    downlink = {"rate": rate, "queue": {"discipline": "drop-tail", "limit": "50packets"}}
    return {"downlink": downlink, "rtt": {"mean": rtt}, **more}


def experiment(client: dict[str, Any], **changes: Any) -> Experiment:
    """A film that never ends, over wifi (20 ms) and lte (40 ms) of 4 Mbit/s each."""
    paths = {"wifi": path("4Mbit/s", "20ms"), "lte": path("4Mbit/s", "40ms")}
    base: dict[str, Any] = {
        "duration": "20s",
        "content": {"ladder": ["9Mbit/s"], "segment": "100s"},
        "server": {"congestion_control": "lia"},
        "gateway": {"paths": paths},
        "clients": [{**FILM, **client}],
    }
    made: Experiment = resolved(**base | changes)
    return made


MPTCP = {"transport": "mptcp", "paths": ["wifi", "lte"]}


def carried_bps(result: CellResult, number: int, from_s: float, to_s: float) -> float:
    """Frames that left the bottleneck of a path."""
    queue = rows(result.data.queue)
    return sent_bps(rows(queue, queue["path"] == number), from_s, to_s)


def test_two_paths_of_4_mbit_s_carry_8(run_once: Runner) -> None:
    result = run_once(experiment(MPTCP))
    assert not broken(result)
    carried = [carried_bps(result, number, 5, 20) for number in (0, 1)]
    assert sum(carried) == pytest.approx(8e6, rel=0.05)
    flows = result.data.flows
    assert [(flow["path"], flow["congestion_control"]) for flow in flows] == [
        ("wifi", "lia"),
        ("lte", "lia"),
    ]
    checks = checks_of(result)
    assert checks["idle_rtt_s_wifi"]["measured"] == pytest.approx(0.02, abs=1e-4)
    assert checks["idle_rtt_s_lte"]["measured"] == pytest.approx(0.04, abs=1e-4)
    assert checks["mptcp_subflows_client1"]["measured"] == 1


@pytest.mark.parametrize("name", ["wifi", "lte"])
def test_plain_tcp_stays_on_its_path(run_once: Runner, name: str) -> None:
    result = run_once(experiment({"paths": [name]}, server={"congestion_control": "reno"}))
    assert not broken(result)
    assert [flow["path"] for flow in result.data.flows] == [name]
    own = ["wifi", "lte"].index(name)
    assert carried_bps(result, own, 5, 20) > 3.6e6
    # Nothing but the probes before the start, where it has an address.
    assert carried_bps(result, 1 - own, 0, 20) == 0


def test_two_addresses_on_one_path_share_its_bottleneck(run_once: Runner) -> None:
    result = run_once(experiment({**MPTCP, "paths": ["wifi", "wifi"]}))
    assert not broken(result)
    assert [flow["remote_address"] for flow in result.data.flows] == ["10.0.2.11", "10.0.3.11"]
    assert carried_bps(result, 0, 5, 20) == pytest.approx(4e6, rel=0.05)
    queue = rows(result.data.queue)
    bytes_of = [int(queue["size"][queue["flow"] == flow].sum()) for flow in (0, 1)]
    assert min(bytes_of) > 0.1 * sum(bytes_of)


@pytest.mark.usefixtures("kept_players")
@pytest.mark.parametrize("player", ["dashjs", "hlsjs", NODE_PLAYER])
def test_players_in_node_js_fetch_over_both_paths(run: Runner, player: str) -> None:
    film = {"ladder": ["5Mbit/s"], "segment": "2s"}
    asked = experiment({"player": player, "options": {}, **MPTCP}, content=film, folder=CLIENTS)
    first, second = (run(asked, wall_limit_s=WALL_LIMIT_S) for _ in range(2))
    assert not broken(first)
    assert checks_of(first)["mptcp_subflows_client1"]["measured"] >= 1
    (found,) = first.data.players
    took_s = found["last_byte_s"] - found["request_s"]
    # Neither path alone carries more than 4 Mbit/s.
    assert np.median(found["size_bytes"] * 8 / took_s) > 6e6
    for name, column in found.items():
        assert np.array_equal(column, second.data.players[0][name], equal_nan=True), name


def test_a_backup_carries_nothing_while_the_other_path_works(run_once: Runner) -> None:
    result = run_once(experiment({**MPTCP, "backup": ["lte"]}))
    assert not broken(result)
    queue = rows(result.data.queue)
    on_lte = rows(queue, queue["path"] == 1)
    assert int(on_lte["payload"].astype(np.int64).sum()) == 0
    assert carried_bps(result, 0, 5, 20) > 3.6e6


@pytest.mark.parametrize("repeats", [2, pytest.param(20, marks=pytest.mark.long)])
def test_every_repeat_has_the_same_bytes(run: Runner, repeats: int) -> None:
    asked = experiment(MPTCP, gateway={"paths": {
        "wifi": path("4Mbit/s", "20ms", loss={"downlink": "1%"}), "lte": path("4Mbit/s", "40ms"),
    }})  # fmt: skip
    assert len({repr(bytes_of(run(asked))) for _ in range(repeats)}) == 1


def test_metrics_are_the_same_whether_packets_are_recorded_or_not(run: Runner) -> None:
    film = {"ladder": ["1Mbit/s", "3Mbit/s", "6Mbit/s"], "segment": "2s"}
    viewer = {"player": "bola", "options": {}, "buffer": "20s", **MPTCP}
    on, off = (
        run(experiment(viewer, content=film, record={"tcp": kept, "queue": kept}))
        for kept in ("full", "off")
    )
    assert parquet_bytes(PLAYER, on.data.players[0]) == parquet_bytes(PLAYER, off.data.players[0])
    full, quiet = (compute(each.data)["clients"][0] for each in (on, off))
    known = {name: value for name, value in quiet.items() if value is not None}
    assert len(known) > 20
    assert {name: full[name] for name in known} == known


def bytes_of(result: CellResult) -> list[bytes]:
    data = result.data
    queue, tcp = rows(data.queue), rows(data.tcp)
    return [
        *(parquet_bytes(PLAYER, player) for player in data.players),
        parquet_bytes(TCP, tcp),
        parquet_bytes(with_path(QUEUE, queue), queue),
    ]
