"""What is preloaded into players: memory that is there when it is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from weir_lab.players import native, root

pytestmark = pytest.mark.usefixtures("kept_players")

PAGE_BYTES = 4096
SMALL_BYTES = 2**16
LARGE_BYTES = 2**24
TOUCHED = """
import ctypes, json, mmap, resource, sys
bytes_ = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
for each in (libc.mmap, libc.malloc):
    each.restype = ctypes.c_void_p
given = [ctypes.c_void_p(), ctypes.c_size_t(bytes_), 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1]
reserved = ctypes.c_void_p(libc.mmap(*given, ctypes.c_long(0)))
libc.mprotect(reserved, ctypes.c_size_t(bytes_), mmap.PROT_READ | mmap.PROT_WRITE)
allocated = ctypes.c_void_p(libc.malloc(ctypes.c_size_t(bytes_)))
found = []
for memory in (reserved, allocated):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    ctypes.memset(memory, 1, bytes_)
    found.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(json.dumps(found))
"""


def faults(bytes_: int, preloaded: str) -> list[int]:
    """Of a process that touches so much: what V8 asks for, and what malloc gives."""
    done = subprocess.run(
        [sys.executable, "-c", TOUCHED, str(bytes_)],
        env={**os.environ, "LD_PRELOAD": preloaded},
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    of_v8, of_malloc = json.loads(done.stdout)
    return [of_v8, of_malloc]


@pytest.fixture
def pages() -> str:
    return str(root() / native() / "pages.so")


def test_small_chunks_are_there(pages: str) -> None:
    assert max(faults(SMALL_BYTES, pages)) <= 1
    assert min(faults(SMALL_BYTES, "")) >= SMALL_BYTES // PAGE_BYTES // 2


def test_large_ones_are_not(pages: str) -> None:
    assert min(faults(LARGE_BYTES, pages)) >= LARGE_BYTES // PAGE_BYTES // 2
