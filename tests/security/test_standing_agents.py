"""What a lab kernel that was taken over reaches from an agent that stands by itself: its wires.

Where they lead is test_links.py's. Each other way is tried outside, too, where it must reach, or
it would prove nothing.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from weir_lab import boot
from weir_lab.kernel import Kernel
from weir_lab.real import links
from weir_testing import native_attacks
from weir_testing.native_attacks import DENIED, SUCCEEDED, Attack
from weir_testing.patience import PATIENCE_S

ATTACKS = [
    Attack(
        "any address, by IPv4 datagrams",
        "socket.socket(2, socket.SOCK_DGRAM).sendto(b'', ('127.0.0.2', T['udp']))",
    ),
    Attack("whoever sends to it", "socket.socket(2, socket.SOCK_DGRAM).bind(('0.0.0.0', 0))"),
    Attack("TCP", "socket.create_connection(('127.0.0.1', T['tcp']))"),
    Attack("a TCP port of its own", "socket.create_server(('127.0.0.1', 0))"),
    Attack(
        "IPv6 datagrams",
        "socket.socket(10, socket.SOCK_DGRAM).sendto(b'', ('::ffff:127.0.0.2', T['udp']))",
    ),
    Attack("a socket in a folder", "socket.socket(1).connect(T['unix'])"),
    Attack("the host's network configuration", "socket.socket(16, socket.SOCK_RAW).bind((0, 0))"),
    Attack("pings and forged headers", "socket.socket(2, socket.SOCK_RAW, 1)", privileged=True),
    Attack("frames", "socket.socket(17, socket.SOCK_RAW)", privileged=True),
]


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[dict[str, Any]]:
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.2", 0))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
        yield {
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": str(tmp_path / "socket"),
        }


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_it_does_not_reach(attack: Attack, targets: dict[str, Any], tmp_path: Path) -> None:
    program = _program(attack, targets, tmp_path)
    end = links.LinkEnd("127.0.0.1", 0, "127.0.0.1", 9, 1)
    with links.relayed([end]) as wires:
        said = _taken_over(program, wires, tmp_path)
    assert DENIED in said, said
    done = subprocess.run([program], cwd=tmp_path, capture_output=True, text=True, check=False)
    if not (attack.privileged and os.geteuid()):
        assert SUCCEEDED in done.stdout, done.stdout + done.stderr


def _program(attack: Attack, targets: dict[str, Any], folder: Path) -> Path:
    program = folder / "program"
    program.write_text(native_attacks.program(attack, targets))
    program.chmod(0o755)
    return program


def _taken_over(program: Path, wires: tuple[int, ...], folder: Path) -> str:
    """What it says in the place of the lab kernel of such an agent."""
    run = folder / "run"
    run.mkdir()
    kernel = Kernel(program, "0" * 16, "7.3-test", ())
    return boot.run(kernel, boot.Boot(1, 1, False, False, wires), run, PATIENCE_S)
