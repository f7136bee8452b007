"""Congestion controls in C that attack the host: native code in the lab kernel's process.

A guest's kernel is a process of the host, so a system call written into it is the host's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["ALLOWED", "BUILDS", "DENIED", "NAMES", "source"]

NAMES: Final = ("weir_native", "weir_suicide", "weir_sound")
"""One that attacks and tells what came of it; one that ends its process; one that does neither."""

_RDWR, _CREATE, _DIRECTORY = 0o2, 0o102, 0o200000
_AT: Final = -100
ALLOWED: Final = {
    "reads its plan": (257, _AT, "plan.marshal", 0),
    "writes its folder": (257, _AT, "own", _CREATE, 0o600),
}
"""Without which denials would prove nothing: that these calls are the host's."""
DENIED: Final = {
    "reads another team's file": (257, _AT, "{secret}", 0),
    "changes another team's file": (257, _AT, "{secret}", _RDWR),
    "removes another team's file": (87, "{secret}"),
    "moves another team's file": (82, "{secret}", "stolen"),
    "links another team's file": (86, "{secret}", "linked"),
    "empties another team's file": (76, "{secret}", 0),
    "changes another team's file's mode": (90, "{secret}", 0o777),
    "lists the worker's folder": (257, _AT, "{data}", _DIRECTORY),
    "writes into the worker's folder": (257, _AT, "{data}/made", _CREATE, 0o600),
    "lists the root": (257, _AT, "/", _DIRECTORY),
    "lists other runs' memory": (257, _AT, "/dev/shm", _DIRECTORY),
    "replaces the lab kernel": (257, _AT, "{kernel}", _RDWR),
    "changes the installation": (257, _AT, "{package}", _RDWR),
    "reads its parent's environment": (257, _AT, "/proc/{ppid}/environ", 0),
    "opens its parent's memory": (257, _AT, "/proc/{ppid}/mem", _RDWR),
    "reads the processes": (257, _AT, "/proc", _DIRECTORY),
    "leaves a link": (88, "/proc/self/environ", "client-2.error"),
    "leaves a named pipe": (133, "record.pipe", 0o010600, 0),
    "opens a TCP socket": (41, 2, 1, 0),
    "opens a UDP socket": (41, 2, 2, 0),
    "opens a socket in a folder": (41, 1, 1, 0),
    "makes a pair of datagram sockets": (53, 1, 2, 0, "................"),
    "attaches to its parent": (101, 16, "ppid", 0, 0),
    "reads its parent's memory": (310, "ppid", 0, 0, 0),
    "asks for its parent": (62, "ppid", 0),
    "takes hold of its parent": (434, "ppid", 0),
    "limits its parent": (302, "ppid", 4, 0, 0),
    "binds its parent to a core": (203, "ppid", 8, "?......."),
    "mounts": (165, "none", "own", "tmpfs", 0),
    "makes a namespace": (272, 0x10000000),
    "makes an io_uring": (425, 1, "." * 120),
    "loads a BPF program": (321, 0, "." * 120, 120),
    "watches the processor": (298, "." * 120, 0, -1, -1),
    "handles page faults": (323, 1),
    "makes shared memory": (29, 0, 4096, 0o1600),
    "locks the lab kernel": (73, 0, 2),
}
"""Name -> number of the host's system call, and its arguments; {..}: a target, ppid: the parent."""
_C: Final = """\
// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <net/tcp.h>

static long host(long nr, long a, long b, long c, long d)
{{
    register long r10 asm("r10") = d;
    register long r8 asm("r8") = 0;
    long done;

    asm volatile("syscall" : "=a"(done) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
             : "rcx", "r11", "memory");
    return done;
}}

static char parents[64];

static char *of_parent(const char *file)
{{
    snprintf(parents, sizeof(parents), "/proc/%ld/%s", host(110, 0, 0, 0, 0), file);
    return parents;
}}

static void native(struct sock *sk)
{{
    static bool done;

    if (done)
        return;
    done = true;
{calls}
}}

static void suicide(struct sock *sk)
{{
    host(62, host(39, 0, 0, 0, 0), 9, 0, 0);
}}

static void sound(struct sock *sk)
{{
}}

{controls}

static int __init attacks_register(void)
{{
    return tcp_register_congestion_control(&native_ops) ?:
           tcp_register_congestion_control(&suicide_ops) ?:
           tcp_register_congestion_control(&sound_ops);
}}
module_init(attacks_register);
MODULE_LICENSE("GPL");
"""
_CONTROL: Final = """\
static struct tcp_congestion_ops {what}_ops __read_mostly = {{
    .name = "weir_{what}",
    .owner = THIS_MODULE,
    .flags = TCP_CONG_NON_RESTRICTED,
    .init = {what},
    .ssthresh = tcp_reno_ssthresh,
    .undo_cwnd = tcp_reno_undo_cwnd,
    .cong_avoid = tcp_reno_cong_avoid,
}};"""
_TELL: Final = '\tpr_emerg("ATTACK {name} = %ld\\n", host({words}));'
BUILDS: Final = {
    "holds a file": 'asm(".section .rodata\\n.incbin \\"{secret}\\"\\n");\n',
    "includes a file": '#include "{secret}"\n',
    "fills the disk": 'asm(".fill 0x40000000, 8, 1");\n',
}
"""What compiling could do."""


def source(targets: Mapping[str, Any]) -> str:
    """A C file with the three congestion controls of `NAMES`."""
    calls = [
        _TELL.format(name=name, words=", ".join(_words(words, targets)))
        for name, words in {**ALLOWED, **DENIED}.items()
    ]
    controls = [_CONTROL.format(what=name.removeprefix("weir_")) for name in NAMES]
    return _C.format(calls="\n".join(calls), controls="\n".join(controls))


def _words(call: tuple[Any, ...], targets: Mapping[str, Any]) -> list[str]:
    words = [_word(word, targets) for word in call]
    return words + ["0"] * (5 - len(words))


def _word(word: Any, targets: Mapping[str, Any]) -> str:
    if word == "ppid":
        return "host(110, 0, 0, 0, 0)"
    if isinstance(word, str) and word.startswith("/proc/{ppid}/"):
        return f'(long)of_parent("{word.rpartition("/")[2]}")'
    return f"(long){json.dumps(word.format_map(targets))}" if isinstance(word, str) else f"{word}"
