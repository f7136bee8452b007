"""Seccomp: system calls denied to a process and its descendants (seccomp(2)).

A denied call fails with EPERM, as if the process had no right to it; one made as another
architecture ends the process. The filter is classic BPF on struct seccomp_data: nr at 0, arch at
4, arguments of 8 bytes from 16 on, the lower half first.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from typing import Final

from weir_lab.confine import system

__all__ = ["available", "install", "program"]

_X86_64 = 0xC000003E
_X32 = 0x40000000
_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_EPERM = 0x00050000 | errno.EPERM
_ENOSYS = 0x00050000 | errno.ENOSYS
_NR, _ARCH = 0, 4
_PR_SET_SECCOMP, _PR_GET_SECCOMP, _FILTER = 22, 21, 2

_DENIED: Final = {
    # into other processes of the same user
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "process_madvise": 440,
    "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "kcmp": 312,
    "sched_setaffinity": 203, "sched_setparam": 142, "sched_setscheduler": 144,
    "sched_setattr": 314, "setpriority": 141, "ioprio_set": 251,
    "migrate_pages": 256, "move_pages": 279,
    # memory and queues that other processes of the same user share
    "shmget": 29, "shmat": 30, "shmctl": 31, "semget": 64, "semctl": 66, "msgget": 68,
    "msgctl": 71, "mq_open": 240, "mq_unlink": 241,
    # a lock that whoever boots the same lab kernel next would wait for
    "flock": 73,
    # files by number
    "name_to_handle_at": 303, "open_by_handle_at": 304,
    # another view of the machine
    "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "open_tree": 428,
    "open_tree_attr": 467, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432,
    "fspick": 433, "mount_setattr": 442, "unshare": 272, "setns": 308,
    # the host's kernel: what is large, rarely needed, and often broken
    "bpf": 321, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "userfaultfd": 323, "perf_event_open": 298, "keyctl": 250, "add_key": 248,
    "request_key": 249, "fanotify_init": 300, "inotify_init": 253, "inotify_init1": 294,
    "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313,
    "delete_module": 176, "iopl": 172, "ioperm": 173, "swapon": 167, "swapoff": 168,
    "acct": 163, "quotactl": 179, "quotactl_fd": 443, "reboot": 169, "syslog": 103,
    "sethostname": 170, "setdomainname": 171, "settimeofday": 164, "clock_settime": 227,
    "adjtimex": 159, "clock_adjtime": 305, "vhangup": 153, "modify_ldt": 154,
}  # fmt: skip
_OF_FILES: Final = {
    # what Landlock lets be done to a file that may not be opened for writing
    "chmod": 90, "fchmod": 91, "fchmodat": 268, "fchmodat2": 452,
    "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260,
    "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "setxattrat": 463,
    "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "removexattrat": 466,
    "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280, "truncate": 76,
    "file_setattr": 469,
    # devices; named pipes, too
    "mknod": 133, "mknodat": 259,
}  # fmt: skip
_OF_MAKEFILES: Final = {
    # out of the process group that its starter ends it by
    "setpgid": 109, "setsid": 112,
    # make goes by files' times: those of another's objects, too
    "utime": 132, "utimes": 235, "futimesat": 261,
}  # fmt: skip
_UTIMENSAT: Final = 280
_SOCKET, _SOCKETPAIR, _CLONE, _CLONE3, _PRLIMIT = 41, 53, 56, 435, 302
_STREAM, _TYPE_BITS = 1, 0xF
_STREAM_OR_SEQPACKET_BITS = 0xB
"""SOCK_STREAM is 1 and SOCK_SEQPACKET 5, and no other type has these of its bits."""
_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_Instruction = tuple[int, int, int, int]


def available() -> bool:
    """Whether this kernel offers filters."""
    try:
        system.prctl(_PR_GET_SECCOMP)
    except OSError:
        return False
    return True


def program(*, sockets: bool, file_modes: bool = False, makefiles: bool = False) -> bytes:
    """The filter. sockets: whether any may be made.

    file_modes: whether modes, owners, times and attributes of files may be changed. makefiles:
    whether others' may be carried out, so that no process leaves its process group, and files get
    no other time than now.
    """
    code: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _X86_64),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NR),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _EPERM),
    ]
    denied = _DENIED if file_modes else _DENIED | _OF_FILES
    if makefiles:
        denied = denied | _OF_MAKEFILES
    for number in denied.values():
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    for half in (0, 4) if makefiles else ():
        times_are_null = [(_LOAD, 0, 0, _argument(2) + half), (_EQUAL, 1, 0, 0)]
        code += _when(_UTIMENSAT, times_are_null)
    # Its flags lie in memory, out of a filter's sight; libraries then use clone.
    code += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ENOSYS)]
    code += _when(_CLONE, [(_LOAD, 0, 0, _argument(0)), (_ANY_BIT, 0, 1, _NAMESPACES)])
    # Limits of its own, also lower ones, but of no other process.
    code += _when(_PRLIMIT, [(_LOAD, 0, 0, _argument(0)), (_EQUAL, 1, 0, 0)])
    # Half a pair of datagram sockets sends to any socket in a folder, the system's log too. One
    # of a SOCK_SEQPACKET pair, as of streams, knows no address: who starts agents gives them such.
    bits = _STREAM_OR_SEQPACKET_BITS if sockets else _TYPE_BITS
    is_either = [(_LOAD, 0, 0, _argument(1)), (_AND, 0, 0, bits), (_EQUAL, 1, 0, _STREAM)]
    code += _when(_SOCKETPAIR, is_either)
    if not sockets:
        code += _when(_SOCKET, [])
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def install(filter_: bytes) -> None:
    """Hold this thread, and what it starts, to a filter. Needs no_new_privs. Raises OSError."""
    held = ctypes.create_string_buffer(filter_, len(filter_))
    length = len(filter_) // struct.calcsize("HBBI")
    pointer = ctypes.addressof(held)
    system.prctl(_PR_SET_SECCOMP, _FILTER, struct.pack("HxxxxxxQ", length, pointer))


def _when(number: int, condition: list[_Instruction]) -> list[_Instruction]:
    """Deny a call where the condition, whose last step jumps over one, holds."""
    body = [*condition, (_RETURN, 0, 0, _EPERM), (_LOAD, 0, 0, _NR)]
    return [(_EQUAL, 0, len(body), number), *body]


def _argument(index: int) -> int:
    return 16 + 8 * index
