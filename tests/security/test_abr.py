"""An ABR that attacks, in a real run: it is nobody in the guest, and what it leaves is data."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from weir.errors import RunFailure
from weir_lab.cell import run_cell
from weir_lab.kernel import Kernel
from weir_testing import cells

pytestmark = pytest.mark.kernel

_WALL_LIMIT_S = 60.0
_ABR = """\
class Attack:
    def __init__(self, ladder, options):
        import ctypes, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def call(done):
            if done < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        try:
            {attack}
        except Exception as error:
            raise ValueError("denied: " + str(error))
        raise ValueError("the attack succeeded")
    def choose(self, state):
        return 0
"""
_ATTACKS = {
    "mounts the host": "call(libc.mount(b'none', b'/tmp', b'hostfs', 0, b'/'))",
    "mounts the host over its root": "call(libc.mount(b'none', b'/', b'hostfs', 0, None))",
    "mounts the host in a namespace of its own":
        "call(libc.unshare(0x10020000)); call(libc.mount(b'none', b'/mnt', b'hostfs', 0, b'/'))",
    "makes its root writable": "call(libc.mount(None, b'/', None, 32, None))",
    "makes the packages writable": "call(libc.mount(None, b'/run/weir/weir_lab', None, 32, None))",
    "reads the host's processes below /proc": "call(libc.umount2(b'/proc', 2))",
    "writes a package": "open('/run/weir/weir_lab/guest/init.py', 'a')",
    "adds a module": "open('/run/weir/weir_lab/made.py', 'w')",
    "writes into the run's folder": "open('/mnt/measured.json', 'w')",
    "leaves a link there": "os.symlink('/proc/self/environ', '/mnt/record.bin')",
    "changes another client's rows": "open('/mnt/client-2', 'w')",
    "replaces the plan": "os.rename('/mnt/plan.marshal', '/mnt/plan')",
    "becomes root": "os.setresuid(0, 0, 0)",
    "takes a capability":
        "call(libc.syscall(126, b'\\x22\\x05\\x08\\x20' + bytes(4), b'\\xff' * 24))",
    "writes the guest's memory": "os.open('/dev/mem', os.O_RDWR)",
    "kills the first process": "os.kill(1, 9)",
    "reads the first process's memory": "open('/proc/1/mem', 'rb').read(1)",
    "turns the lab kernel off": "call(libc.reboot(0x4321fedc))",
    "loads a kernel module": "call(libc.syscall(313, -1, b'', 0))",
    "moves into the gateway":
        "call(libc.setns(next(int(fd) for fd in os.listdir('/proc/self/fd') "
        "if 'net:' in os.readlink('/proc/self/fd/' + fd)), 0))",
    "shapes the link": "open('/proc/net/rwtm', 'w')",
    "sets a sysctl": "open('/proc/sys/net/ipv4/tcp_rmem', 'w')",
    "listens to the wire": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "reads the host's secrets": "open('/root/.ssh/id_rsa').read()",
    "reads the host's environment": "open('/proc/1/environ').read()",
}  # fmt: skip


@pytest.mark.parametrize("name", _ATTACKS)
def test_it_is_denied(name: str, kernel: Kernel, tmp_path: Path) -> None:
    own = cells.own_abr(_ABR.format(attack=_ATTACKS[name]))
    folder = tmp_path / "cell"
    folder.mkdir()
    with pytest.raises(RunFailure, match="denied: "):
        run_cell(cells.experiment({}, own), 1, kernel, folder, _WALL_LIMIT_S)


def test_a_reason_of_any_length_and_content_is_held(kernel: Kernel, tmp_path: Path) -> None:
    own = cells.own_abr("raise ValueError('x' * 50_000 + chr(0))")
    with pytest.raises(RunFailure) as failed:
        run_cell(cells.experiment({}, own), 1, kernel, tmp_path, _WALL_LIMIT_S)
    assert "xxx" in failed.value.reason
    assert "\0" not in failed.value.reason


def test_what_it_says_is_kept_by_head_and_tail(kernel: Kernel, tmp_path: Path) -> None:
    text = """\
class Loud:
    def __init__(self, ladder, options):
        print("the first line", flush=True)
        for _ in range(3000):
            print("x" * 1000)
    def choose(self, state):
        return 0
"""
    asked = cells.experiment({"duration_s": 4.0}, cells.own_abr(text))
    result = run_cell(asked, 1, kernel, tmp_path, _WALL_LIMIT_S)
    assert "the first line" in result.log
    assert "bytes cut here" in result.log
    assert "DONE" in result.log
    assert len(result.log) < 1 << 20


@pytest.mark.parametrize("kind", ["link", "pipe", "holes", "large"])
@pytest.mark.parametrize("name", ["client-1", "client-1.error", "measured.json", "record.bin"])
def test_a_trap_in_place_of_a_file_is_a_failure(name: str, kind: str, tmp_path: Path) -> None:
    """As a lab kernel that was taken over would leave it, were it not confined."""
    folder = tmp_path / "cell"
    folder.mkdir()
    outside = tmp_path / "secret"
    outside.write_text("the store's secret key")
    trap = {"link": f"ln -sf {outside} {name}", "pipe": f"rm -f {name}; mkfifo {name}",
            "holes": f"truncate -s 1G {name}", "large": f"yes | head -c 70M > {name}"}  # fmt: skip
    program = tmp_path / "kernel"
    files = "echo '{}' > measured.json; : > client-1; : > client-1.error; : > record.bin"
    subprocess.run(["sh", "-c", f"{files}; {trap[kind]}"], cwd=folder, check=True)
    program.write_text("#!/bin/sh\necho DONE\n")
    program.chmod(0o755)
    built = Kernel(program, "0" * 16, "7.3-test", ("cubic",))
    if kind == "large" and name == "record.bin":
        pytest.skip("a record may be as large")
    with pytest.raises(RunFailure) as failed:
        run_cell(cells.experiment({}), 1, built, folder, _WALL_LIMIT_S)
    assert "secret key" not in str(failed.value)
    assert name in failed.value.reason
