"""Outside players: a program with a host kernel's TCP, in a cell of lab kernels.

Its host is a network namespace of this machine, as a container's would be.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.errors import RunFailure
from weir_lab.cell import run_cell
from weir_lab.collect import CellResult
from weir_lab.real.serve import TOKEN
from weir_testing import outside_players
from weir_testing.agents import SECRET
from weir_testing.cells import WIDE, broken, bulk, checks_of, client, experiment, kernel
from weir_testing.checkout import ROOT
from weir_testing.outside_players import Namespace, needs_namespaces

pytestmark = [pytest.mark.kernel, needs_namespaces]

PLAYER = (sys.executable, str(ROOT / "services" / "client" / "outside" / "player.py"))
RTT_S = 0.1


@pytest.fixture(scope="module")
def namespace() -> Iterator[Namespace]:
    with outside_players.namespace() as made:
        yield made


def run(
    namespace: Namespace, folder: Path, *clients: dict[str, Any], player: tuple[str, ...] = PLAYER
) -> CellResult:
    """A run of 6 s; the reference player where no other command is given."""
    return outside_players.run(namespace, folder, *clients, player=player)


def test_an_outside_player_meets_the_cells_path_and_shares_its_bottleneck(
    namespace: Namespace, tmp_path: Path
) -> None:
    result = run(namespace, tmp_path, bulk(), client("outside", start_s=1.0))
    assert not broken(result)
    rows = result.data.players[1]
    assert len(rows["segment"]) >= 2
    assert (rows["status"] == 206).all()
    assert rows["request_s"][0] >= 1.0
    # Connecting takes one round trip, the first answer another.
    assert rows["first_byte_s"][0] - rows["request_s"][0] >= 2 * RTT_S
    flow = next(flow for flow in result.data.flows if flow["client"] == 2)
    assert flow["remote_port"] == rows["connection"][0]
    queue = result.data.queue
    assert queue is not None
    carried = queue["payload"][queue["flow"] == flow["flow"]].sum()
    assert carried >= rows["size_bytes"].sum()
    assert queue["size"].max() <= 1514  # a host kernel's larger ones would be no packets
    lines = [command["line"] for command in result.commands if command["host"] == "client2"]
    assert "ip addr add 10.0.2.12/24 dev weir0" in lines
    assert not [line for line in lines if "eth0" in line]


def test_one_alone_measures_the_idle_path(namespace: Namespace, tmp_path: Path) -> None:
    result = run(namespace, tmp_path, client("outside"))
    assert not broken(result)
    # How much longer, the machine decides: no more than `WIDE` allows, or the check is broken.
    assert checks_of(result)["idle_rtt_s"]["measured"] >= RTT_S
    assert np.isfinite(checks_of(result)["timer_lateness_s"]["measured"])


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("echo no DRM here >&2; exit 127", "does not support what is asked.*no DRM here"),
        ("exit 3", "exit code 3; it said: nothing"),
        ("sleep 60", "left nothing; it must write one of rows.csv, rows.jsonl"),
        (
            "echo '{\"segment\": 0}' > $WEIR_OUT/rows.jsonl",
            "client 1 .outside.: rows.jsonl row 1: level is missing",
        ),
    ],
)
def test_a_player_that_cannot_is_told_by_the_runs_reason(
    namespace: Namespace, tmp_path: Path, command: str, told: str
) -> None:
    with pytest.raises(RunFailure) as failed:
        run(namespace, tmp_path, client("outside"), player=("sh", "-c", command))
    assert re.search(told, failed.value.reason, re.DOTALL)
    devices = subprocess.check_output(["ip", "-n", namespace.name, "-br", "link"], text=True)
    assert "weir0" not in devices


def test_it_reaches_what_its_agent_does(namespace: Namespace, tmp_path: Path) -> None:
    """It is the operator's program, held by nothing but the user and the network of its agent."""
    secret = tmp_path / "secret"
    secret.write_text("of whoever runs the agent")
    with socket.create_server((namespace.here, 0)) as elsewhere:
        script = tmp_path / "reach.py"
        script.write_text(
            "import os, socket, sys\n"
            f"socket.create_connection({elsewhere.getsockname()!r}).close()\n"
            f"print(open({str(secret)!r}).read())\n"
            f"print('told the agents\\' secret:', {TOKEN!r} in os.environ)\n"
            "agent = open(f'/proc/{os.getppid()}/environ').read()\n"
            f"print('finds it:', {SECRET!r} in agent)\n"
            "sys.exit(3)\n"
        )
        with pytest.raises(RunFailure) as failed:
            run(namespace, tmp_path, client("outside"), player=(sys.executable, str(script)))
    assert "of whoever runs the agent" in failed.value.reason
    assert "told the agents' secret: False\nfinds it: True" in failed.value.reason


def test_one_that_was_not_ready_is_given_more_time(namespace: Namespace, tmp_path: Path) -> None:
    tried = tmp_path / "tried"
    command = f"[ -e {tried} ] || {{ touch {tried}; exit 75; }}; exec {' '.join(PLAYER)}"
    result = run(namespace, tmp_path, client("outside"), player=("sh", "-c", command))
    assert not broken(result)
    assert result.log.count("was not ready at its start") == 1


def test_this_machines_own_agents_have_no_outside_player(tmp_path: Path) -> None:
    asked: Any = experiment({"clock": "real", "duration_s": 6.0, "checks": WIDE}, client("outside"))
    with pytest.raises(RunFailure, match="client1: an outside player needs a cell"):
        run_cell(asked, 1, kernel(), tmp_path, 120.0)
