"""What is preloaded into players: the clock that is read once for each time that a thread slept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from weir_lab.players import native, root

pytestmark = pytest.mark.usefixtures("kept_players")

BEGIN = """
import json, os, threading, time
read = time.monotonic_ns
"""
ASLEEP = """
before = read()
time.sleep(0.2)
found = read() - before
"""
AWAKE = """
times = [read() for _ in range(60)]
found = [later - sooner for sooner, later in zip(times, times[1:])]
"""
ELSEWHERE = """
reading, writing = os.pipe()
def wake():
    time.sleep(0.3)
    os.write(writing, b".")
before = read()
threading.Thread(target=wake).start()
os.read(reading, 1)
found = max(read() for _ in range(70)) - before
"""
THREADS = """
waiting, woken = threading.Condition(), []
def wait(number):
    with waiting:
        for _ in range(20):
            waiting.wait(0.001 * number)
        woken.append(number)
threads = [threading.Thread(target=wait, args=(number,)) for number in range(1, 9)]
before = read()
for each in threads: each.start()
for each in threads: each.join()
found = [sorted(woken), read() - before]
"""
LOOKS = """
import ctypes, select
reading, writing = os.pipe()
os.write(writing, b".")
waits = select.epoll()
waits.register(reading, select.EPOLLIN)
ready = ctypes.create_string_buffer(12)
look = lambda ms: ctypes.CDLL(None).epoll_pwait(waits.fileno(), ready, 1, ms, None)
found = [look(0), look(0), look(1000), look(0), look(1000)]
"""


def said(script: str) -> Any:
    """What a Python finds that the clock is preloaded into."""
    done = subprocess.run(
        [sys.executable, "-c", f"{BEGIN}{script}print(json.dumps(found))"],
        env={**os.environ, "LD_PRELOAD": str(root() / native() / "clock.so")},
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_who_slept_knows() -> None:
    assert 0.2e9 <= said(ASLEEP) < 30e9


def test_who_did_not_sleep_does_not_ask_the_kernel() -> None:
    # A nanosecond at a time, but where it was asked.
    assert said(AWAKE).count(1) >= 57


def test_who_slept_in_a_call_that_is_not_watched_knows_soon() -> None:
    assert 0.3e9 <= said(ELSEWHERE) < 30e9


def test_threads_wait_as_long_as_they_are_to() -> None:
    woken, took_ns = said(THREADS)
    assert woken == list(range(1, 9)) and took_ns >= 20 * 8e6


def test_who_looks_before_a_sleep_finds_out_by_the_sleep() -> None:
    # As libuv does, and who looks twice in a row.
    assert said(LOOKS) == [0, 1, 1, 0, 1]
