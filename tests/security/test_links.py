"""A lab kernel's wire on the real clock leads to its link's other end, and nowhere else.

That end is what its agent's relay is connected to. Each way to send elsewhere is tried by native
code in a lab kernel's place, and once outside with a UDP socket for a wire, where what was sent
must arrive, or it would prove nothing.
"""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from weir_lab import boot
from weir_lab.kernel import Kernel
from weir_lab.real import l2tpv3, links
from weir_testing.patience import PATIENCE_S

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
FRAME, STRAY = b"a frame, as any", b"what has no business there"
WAYS = {
    "makes a socket": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(stray, other)",
    "makes a socket of IPv6": (
        "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)"
        ".sendto(stray, ('::ffff:' + other[0], other[1]))"
    ),
    "names another address": "link.sendto(stray, other)",
    "names another address in a message": "link.sendmsg([stray], [], 0, other)",
    "connects its wire anew": "link.connect(other); link.send(stray)",
}
SESSION = 7
PROGRAM = """\
#!/usr/bin/python3 -IS
import socket
# As one of IPv4, whatever it is: Python encodes the address, and the kernel judges it.
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, fileno={link})
other, stray = {other!r}, {stray!r}
try:
    {way}
except OSError as error:
    print('denied:', error)
link.send({frame!r})
print('DONE')
"""


@pytest.fixture(name="stranger")
def another_address_of_this_host() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind((ELSEWHERE, 0))
        yield stranger


@contextmanager
def relayed() -> Iterator[tuple[int, socket.socket, bytes]]:
    """A lab kernel's end of a wire, where it leads to, and what stands before each frame there."""
    own, other = links.free_ports(HERE, 2)
    with (
        links.relayed([links.LinkEnd(HERE, own, HERE, other, SESSION)]) as (wire,),
        links.connected(links.LinkEnd(HERE, other, HERE, own, SESSION)) as peer,
    ):
        yield wire, peer, l2tpv3.header(SESSION)


@pytest.mark.parametrize("way", WAYS)
def test_native_code_reaches_the_other_end_alone(
    way: str, stranger: socket.socket, tmp_path: Path
) -> None:
    with relayed() as (wire, peer, header):
        attack = program(tmp_path / "program", wire, stranger, way)
        folder = tmp_path / "run"
        folder.mkdir()
        booted = boot.Boot(1, 1, False, False, wires=(wire,))
        said = boot.run(Kernel(attack, "0" * 16, "7.3-test", ()), booted, folder, PATIENCE_S)
        assert "DONE" in said
        peer.settimeout(PATIENCE_S)
        # A name is no matter to a wire: what was to go elsewhere came here, if it went at all.
        came = [peer.recv(4096)]
        while came[-1] != header + FRAME:
            came.append(peer.recv(4096))
    assert set(came) <= {header + STRAY, header + FRAME}
    stranger.setblocking(False)
    with pytest.raises(BlockingIOError):
        stranger.recv(4096)


@pytest.mark.parametrize("way", WAYS)
def test_outside_it_reaches_whom_it_likes(
    way: str, stranger: socket.socket, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        own, peer = (
            stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in "12"
        )
        peer.bind((HERE, 0))
        own.connect(peer.getsockname())
        attack = program(tmp_path / "program", own.fileno(), stranger, way)
        subprocess.run([attack], pass_fds=[own.fileno()], check=True, timeout=PATIENCE_S)
    stranger.settimeout(PATIENCE_S)
    assert stranger.recv(4096) == STRAY


def program(path: Path, link: int, stranger: socket.socket, way: str) -> Path:
    path.write_text(
        PROGRAM.format(
            link=link,
            other=stranger.getsockname(),
            way=WAYS[way],
            stray=STRAY,
            frame=FRAME,
        )
    )
    path.chmod(0o755)
    return path
