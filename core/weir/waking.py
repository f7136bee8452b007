"""Waking at an instant, to the nanosecond. Imports little: the roles run it inside the guest."""

from __future__ import annotations

from time import monotonic_ns, sleep


def sleep_until(instant_ns: int) -> None:
    """Sleep until `instant_ns` of the monotonic clock, or not at all if it has passed.

    time.sleep(seconds) as a float ends up to a nanosecond later or not, by the digits of the clock
    when it was asked; under the virtual clock that decides who of two hosts that wake together goes
    first, and so a run's bytes would depend on how its guest started. Half a nanosecond less is
    rounded up to the whole number.
    """
    wait_ns = instant_ns - monotonic_ns()
    if wait_ns > 0:
        sleep((wait_ns - 0.5) / 1e9)
