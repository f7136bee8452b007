"""A lab kernel that its guest has taken over: what it does then is denied by the host's kernel.

Each attack is carried out by the same program: not confined, where it must succeed, or it would
prove nothing; in the place of a lab kernel, booted as one; and in that of a fork of one, which may
write to all of its runs' folders.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import weir_lab
from weir_lab import boot, plan
from weir_lab.kernel import Kernel
from weir_lab.zygote import Zygote
from weir_testing import native_attacks
from weir_testing.cells import experiment
from weir_testing.native_attacks import ATTACKS, Attack
from weir_testing.patience import PATIENCE_S

Targets = dict[str, Any]
ASKED = experiment({})


@pytest.fixture
def targets(tmp_path: Path) -> Iterator[Targets]:
    """Of each kind one: files, a process, sockets."""
    outside = tmp_path / "outside"
    memory = tmp_path / "memory"
    for folder in (outside, outside / "empty", memory):
        folder.mkdir()
    for path in (outside / "secret", outside / "spare", memory / "guest"):
        path.write_text("the store's secret key")
    abstract = f"weir-test-{os.getpid()}"
    with contextlib.ExitStack() as stack:
        victim = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        stack.callback(victim.wait)
        stack.callback(victim.send_signal, signal.SIGKILL)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address in (str(outside / "socket"), f"\0{abstract}"):
            listening = stack.enter_context(socket.socket(socket.AF_UNIX))
            listening.bind(address)
            listening.listen()
        heard = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        heard.bind(str(outside / "datagram"))
        yield {
            "outside": str(outside),
            "secret": str(outside / "secret"),
            "spare": str(outside / "spare"),
            "empty": str(outside / "empty"),
            "memory": str(memory),
            "package": str(Path(weir_lab.__file__)),
            "victim": victim.pid,
            "tcp": tcp.getsockname()[1],
            "unix": str(outside / "socket"),
            "datagram": str(outside / "datagram"),
            "abstract": abstract,
            "disk": _disk(),
        }
        for made in ("/dev/shm/weir-test-made", f"{weir_lab.__file__}_made.py"):
            Path(made).unlink(missing_ok=True)


def forked_off(kernel: Kernel, runs: Path) -> str:
    """What a fork says on its console."""
    folder = runs / "forked"
    folder.mkdir()
    before = plan.before(ASKED, plan.make(ASKED, 1))
    how = boot.Boot(1, 1, False, False, before=before)
    zygote = Zygote(boot.shape(kernel, how), runs)
    try:
        return boot.run(kernel, how, folder, PATIENCE_S, zygote.line())
    finally:
        zygote.close()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_it_succeeds_outside_and_is_denied_inside(
    attack: Attack, targets: Targets, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    targets["kernel"] = str(program.with_name("kernel"))
    Path(targets["kernel"]).write_text("another team's runs boot this")
    program.write_text(native_attacks.program(attack, targets))
    program.chmod(0o755)

    inside = tmp_path / "inside"
    inside.mkdir()
    kernel = Kernel(program, "0" * 16, "7.3-test", ())
    confined = boot.run(kernel, boot.Boot(1, 1, False, False), inside, PATIENCE_S)
    assert native_attacks.DENIED in confined
    program.write_text(native_attacks.program(attack, {**targets, "forked": True}))
    assert native_attacks.DENIED in forked_off(kernel, tmp_path)
    program.write_text(native_attacks.program(attack, targets))

    free = tmp_path / "free"
    free.mkdir()
    done = subprocess.run([program], cwd=free, capture_output=True, text=True, check=False)
    if attack.optional or (attack.privileged and os.geteuid()):
        return
    assert native_attacks.SUCCEEDED in done.stdout, done.stdout + done.stderr


def _disk() -> str:
    disks = [path for path in Path("/dev").glob("[vsn][dv]*") if path.is_block_device()]
    return str(disks[0]) if disks else "/dev/none"
