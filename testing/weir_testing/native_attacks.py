"""What a lab kernel that its guest has taken over could try on the host, one thing each.

Python, run in the place of a lab kernel. `T` names what there is to attack (see `Targets`); one
that raises has failed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["ATTACKS", "DENIED", "SUCCEEDED", "Attack", "program"]

DENIED: Final = "denied:"
SUCCEEDED: Final = "the attack succeeded"
_PRELUDE: Final = """\
#!/usr/bin/python3 -IS
import ctypes, fcntl, json, mmap, os, resource, signal, socket, stat, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    words = [ctypes.c_long(w) if isinstance(w, int) else w for w in words]
    done = libc.syscall(ctypes.c_long(number), *words)
    if done < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return done
"""


_FORKED: Final = """\
if T.get('forked'):
    numbers = [int(word[7:]) for word in sys.argv if word.startswith('zygote=')]
    asked = socket.socket(fileno=numbers[0])
    _, lines, *_ = socket.recv_fds(asked, 8, 2)
    line = socket.socket(fileno=lines[0])
    order, given, *_ = socket.recv_fds(line, 4096, 3)
    child = os.fork()
    if child:
        for number in (child, None):
            number = os.waitpid(child, 0)[1] if number is None else number
            line.send(struct.pack('i', number))
        line.close()
        signal.pause()
    os.chdir(order.partition(b'\\n')[0])
    os.dup2(given[0], 1)
    call(446, given[2], 0)
"""
"""What a lab kernel does with an order (arch/um/os-Linux/zygote.c), as far as its sandbox goes."""


@dataclass(frozen=True)
class Attack:
    """privileged: where it is not confined it needs root; optional: or it may not be there."""

    name: str
    code: str
    privileged: bool = False
    optional: bool = False


def program(attack: Attack, targets: Mapping[str, Any]) -> str:
    """The source of a program that does it, and says DENIED with the reason, or SUCCEEDED.

    It does so in a fork where `targets` has `forked`.
    """
    return (
        f"{_PRELUDE}T = json.loads({json.dumps(targets)!r})\n"
        f"{_FORKED}"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"try:\n    {attack.code}\n"
        f"except BaseException as error:\n    print({DENIED!r}, error)\n"
        f"else:\n    print({SUCCEEDED!r})\n"
        "print('DONE')\n"
    )


ATTACKS = (
    # files of the platform and of other teams
    Attack("reads a file", "open(T['secret']).read()"),
    Attack("lists a folder", "os.listdir(T['outside'])"),
    Attack("lists the root", "os.listdir('/')"),
    Attack("writes a file", "os.open(T['secret'], os.O_WRONLY)"),
    Attack("appends to a file", "open(T['secret'], 'a').write('x')"),
    Attack("empties a file as it opens it", "os.open(T['spare'], os.O_RDWR | os.O_TRUNC)"),
    Attack("empties a file by its path", "os.truncate(T['spare'], 0)"),
    Attack("makes a file", "open(T['outside'] + '/made', 'w')"),
    Attack("makes a folder", "os.mkdir(T['outside'] + '/made')"),
    Attack("removes a file", "os.unlink(T['spare'])"),
    Attack("removes a folder", "os.rmdir(T['empty'])"),
    Attack("moves a file here", "os.rename(T['spare'], 'spare')"),
    Attack("moves a file away", "open('own', 'w'); os.rename('own', T['outside'] + '/own')"),
    Attack("links a file here, to read it", "os.link(T['secret'], 'linked')"),
    Attack("leaves the folder by ..", "open('../outside/secret').read()"),
    Attack("makes a file beside its folder", "open('../made', 'w')"),
    Attack("reads through /proc/self/root", "open('/proc/self/root' + T['secret']).read()"),
    # what Landlock leaves to the filter
    Attack("changes a file's mode", "os.chmod(T['secret'], 0o777)"),
    Attack("changes the mode of what it may read", "os.fchmod(os.open(T['package'], 0), 0o644)"),
    Attack("changes a file's owner", "os.chown(T['secret'], os.getuid(), os.getgid())"),
    Attack("changes a file's times", "os.utime(T['secret'])"),
    Attack("sets an attribute", "os.setxattr(T['secret'], 'user.x', b'x')", optional=True),
    Attack("locks what others lock", "fcntl.flock(os.open(T['package'], 0), fcntl.LOCK_EX)"),
    # what is executed by others
    Attack("replaces the lab kernel", "os.open(T['kernel'], os.O_WRONLY)"),
    Attack("writes into a package", "os.open(T['package'], os.O_WRONLY)"),
    Attack("adds a module to a package", "open(T['package'] + '_made.py', 'w')"),
    Attack(
        "runs a program that it wrote",
        "fd = os.open('runs', os.O_CREAT | os.O_WRONLY, 0o755); "
        "os.write(fd, b'#!/bin/sh\\nexit 0\\n'); os.close(fd); "
        "pid = os.posix_spawn('./runs', ['runs'], {}); "
        "assert os.waitpid(pid, 0)[1] == 0",
    ),
    # traps for whoever reads the run's folder
    Attack("leaves a symbolic link", "os.symlink('/proc/self/environ', 'client-1.error')"),
    Attack("leaves a named pipe", "os.mkfifo('record.bin')"),
    Attack("leaves a device", "os.mknod('record.bin', stat.S_IFCHR | 0o600, os.makedev(1, 5))",
           privileged=True),
    # other processes of the same user
    Attack("reads a process's environment", "open(f\"/proc/{T['victim']}/environ\").read()"),
    Attack("reads a process's memory map", "open(f\"/proc/{T['victim']}/maps\").read()"),
    Attack("opens a process's files", "os.listdir(f\"/proc/{T['victim']}/fd\")"),
    Attack("opens a process's memory", "os.open(f\"/proc/{T['victim']}/mem\", os.O_RDWR)"),
    Attack("attaches to a process", "call(101, 16, T['victim'], 0, 0)"),
    Attack(
        "reads a process's memory by a call",
        "here = ctypes.create_string_buffer(8); "
        "there = int(open(f\"/proc/{T['victim']}/stat\").read().split()[27]) & ~0xFFF; "
        "local = struct.pack('QQ', ctypes.addressof(here), 8); "
        "call(310, T['victim'], local, 1, struct.pack('QQ', there, 8), 1, 0)",
        optional=True,
    ),
    Attack("signals a process", "os.kill(T['victim'], signal.SIGCONT)"),
    Attack("takes hold of a process", "os.pidfd_open(T['victim'])"),
    Attack("limits a process",
           "resource.prlimit(T['victim'], resource.RLIMIT_CORE, (0, 0))"),
    Attack("binds a process to a core", "os.sched_setaffinity(T['victim'], {0})"),
    Attack("puts a process last", "os.setpriority(os.PRIO_PROCESS, T['victim'], 1)"),
    # what processes share
    Attack("opens another run's memory", "open(T['memory'] + '/guest', 'rb').read()"),
    Attack("fills the shared memory", "open('/dev/shm/weir-test-made', 'w')"),
    Attack("makes a System V segment", "call(29, 0, 4096, 0o1600)"),
    Attack("reads a terminal", "os.open('/dev/ptmx', os.O_RDWR)"),
    # the network
    Attack("connects by TCP", "socket.create_connection(('127.0.0.1', T['tcp']))"),
    Attack("listens by TCP", "socket.create_server(('127.0.0.1', 0))"),
    Attack("sends by UDP",
           "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))"),
    Attack("connects to a socket in a folder",
           "s = socket.socket(socket.AF_UNIX); s.connect(T['unix'])"),
    Attack("writes to a datagram socket in a folder",
           "s, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); "
           "s.sendto(b'x', T['datagram'])"),
    Attack("makes a pair that keeps boundaries, and names another",
           "s, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW); "
           "s.sendto(b'x', T['datagram'])"),
    Attack("connects to an abstract socket",
           "s = socket.socket(socket.AF_UNIX); s.connect('\\0' + T['abstract'])"),
    Attack("asks the kernel for routes", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    # another view of the machine, and the host's kernel
    Attack("makes a user namespace", "call(272, 0x10000000)", optional=True),
    Attack("makes a process in a namespace",
           "assert call(56, 0x10000011, 0, 0, 0, 0) or os._exit(0)",
           optional=True),
    Attack("mounts",
           "call(165, b'none', b'.', b'tmpfs', 0, None); call(166, os.fsencode(os.getcwd()), 2)",
           privileged=True),
    Attack("changes its root", "os.chroot('.')", privileged=True),
    Attack("joins a namespace",
           "call(308, os.open(f\"/proc/{T['victim']}/ns/net\", 0), 0)", privileged=True),
    Attack("opens a file by its number",
           "call(304, -100, ctypes.create_string_buffer(128), 0)", optional=True),
    Attack("makes an io_uring", "call(425, 1, ctypes.create_string_buffer(120))", optional=True),
    Attack("loads a BPF map",
           "call(321, 0, struct.pack('IIII', 2, 4, 4, 1) + bytes(112), 128)", optional=True),
    Attack("handles page faults", "call(323, 1)", optional=True),
    Attack("watches the processor",
           "call(298, struct.pack('IIQ', 1, 112, 0) + bytes(96), 0, -1, -1, 0)", optional=True),
    Attack("asks for keys", "call(250, 0, -3, 1)", optional=True),
    Attack("reads the host kernel's log", "call(103, 3, ctypes.create_string_buffer(64), 64)",
           optional=True),
    Attack("reads the disk", "os.open(T['disk'], os.O_RDONLY)", privileged=True, optional=True),
    Attack("sets a host sysctl",
           "os.open('/proc/sys/kernel/core_pattern', os.O_WRONLY)", privileged=True),
    # more than its share
    Attack("makes a file of 5 GiB", "f = open('large', 'wb'); f.truncate(5 << 30)"),
    Attack("takes 64 GiB of address space",
           "mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | 0x4000)"),
    Attack("raises its own limit",
           "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)",
           privileged=True),
)  # fmt: skip
