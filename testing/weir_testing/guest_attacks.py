"""What an ABR that a campaign brings could try from its guest, one thing each.

`T` names what there is to attack on the host; an attack that raises has failed, and the run's
reason then begins with `denied: `.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = [
    "APPETITES", "ATTACKS", "ON_THE_PLATFORM", "READS_AND_WRITES", "SAID", "abr", "abr_of_all",
]  # fmt: skip

_ABR: Final = """\
T = {targets!r}
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
SAID: Final = "what came of each: "
"""Before the JSON of `abr_of_all`."""
_ABR_OF_ALL: Final = """\
T = {targets!r}
ATTACKS = {attacks!r}
class Attack:
    def __init__(self, ladder, options):
        import ctypes, json, os, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def call(done):
            if done < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        said = {{}}
        for name, attack in ATTACKS.items():
            try:
                exec(attack, {{"T": T, "call": call, "libc": libc, "os": os, "socket": socket}})
            except Exception as error:
                said[name] = type(error).__name__
            else:
                said[name] = ""
        raise ValueError({heading!r} + json.dumps(said))
    def choose(self, state):
        return 0
"""
_GREEDY: Final = """\
import os
class Greedy:
    def __init__(self, ladder, options):
        {appetite}
    def choose(self, state):
        return 0
"""
_OWN_FILES: Final = (
    "[int(fd) for fd in os.listdir('/proc/self/fd') "
    "if '/client-' in os.readlink('/proc/self/fd/' + fd)]"
)
ATTACKS: Final = {
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
ON_THE_PLATFORM: Final = {
    "reads another team's file": "open(T['secret']).read()",
    "reads it past the guest's root": "open('/proc/1/root' + T['secret']).read()",
    "changes it": "open(T['secret'], 'a')",
    "replaces it": "os.rename(T['secret'], T['secret'] + '.old')",
    "lists the worker's folder": "os.listdir(T['data'])",
    "writes into the worker's folder": "open(T['data'] + '/made', 'w')",
    "reads other runs' memory": "os.listdir('/dev/shm')",
    "changes the lab kernel": "open(T['kernel'], 'r+b')",
    "lists the kernels": "os.listdir(os.path.dirname(os.path.dirname(T['kernel'])))",
    "changes the installation": "open(T['package'], 'a')",
    "finds secrets in its environment":
        "next(name for name in os.environ if name.startswith(('AWS_', 'WEIR_')))",
    "reaches the database": "socket.create_connection(('127.0.0.1', T['database']), 2)",
    "reaches the object store": "socket.create_connection(('127.0.0.1', T['store']), 2)",
    "reaches the API": "socket.create_connection(('127.0.0.1', T['api']), 2)",
    "reaches the network's metadata":
        "socket.create_connection(('169.254.169.254', 80), 2)",
}  # fmt: skip
"""Against what the machine of a worker has beside the run."""
READS_AND_WRITES: Final = {
    name: {**ATTACKS, **ON_THE_PLATFORM}[name]
    for name in (
        "mounts the host",
        "becomes root",
        "reads another team's file",
        "changes it",
        "lists the worker's folder",
        "changes the lab kernel",
        "changes the installation",
        "finds secrets in its environment",
    )
}
"""Some of both, for where a run takes long."""
APPETITES: Final = {
    "says 200 MB": "[print('x' * 100_000) for _ in range(2_000)]",
    "leaves a hole of 1 TiB in what it writes":
        f"[os.ftruncate(fd, 1 << 40) for fd in {_OWN_FILES}]",
    "writes what is no row":
        f"[os.write(fd, b'\\xfb\\xff\\xff\\xff\\x7f' * 99) for fd in {_OWN_FILES}]",
    "takes all memory": "self.kept = bytearray(1 << 33)",
    "ends": "os._exit(0)",
    "kills itself": "os.kill(os.getpid(), 9)",
    "fails with 100,000 characters": "raise ValueError('x' * 100_000)",
    "fails with NUL and half a character": "raise ValueError('a\\0b\\ud800')",
    "recurses": "exec('def f(): f()\\nf()')",
    "opens files without end": "self.kept = [open('/dev/null') for _ in range(1 << 20)]",
}  # fmt: skip
"""Not denied as such: the run ends, whatever comes of it, and nobody else notices."""


def abr(attack: str, targets: Mapping[str, Any] | None = None) -> str:
    """The source of an ABR that does it; of `APPETITES`, one that says nothing of it."""
    if attack in APPETITES.values():
        return _GREEDY.format(appetite=attack)
    return _ABR.format(attack=attack, targets=dict(targets or {}))


def abr_of_all(attacks: Mapping[str, str], targets: Mapping[str, Any]) -> str:
    """The source of an ABR that does one after the other, and tells of each by its name what it
    raised: empty where it succeeded."""
    return _ABR_OF_ALL.format(attacks=dict(attacks), targets=dict(targets), heading=SAID)
