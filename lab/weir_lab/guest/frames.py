"""Frames that a host's devices have carried, as its kernel counts them."""

from __future__ import annotations

# Fields after a device's name in /proc/net/dev (net/core/net-procfs.c).
RECEIVED, SENT, DROPPED = 1, 9, 11


def sent(devices: list[str]) -> list[int]:
    """Of each device: frames given to it, also those that it had no room for."""
    counted = _counted()
    return [counted[device][SENT] + counted[device][DROPPED] for device in devices]


def received(devices: list[str]) -> list[int]:
    """Of each device: frames that have come in by it."""
    counted = _counted()
    return [counted[device][RECEIVED] for device in devices]


def _counted() -> dict[str, list[int]]:
    with open("/proc/self/net/dev") as file:
        lines = file.read().splitlines()[2:]
    rows = [line.partition(":") for line in lines]
    return {name.strip(): [int(word) for word in row.split()] for name, _, row in rows}
