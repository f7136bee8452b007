"""Outages that a client's interfaces see: who watches them, and were they so. Pure."""

from __future__ import annotations

import re

from weir.paths import clients_on, outages, paths_of
from weir.records import Check, EventRecord
from weir.resolved import Experiment
from weir_gateway import devices

from weir_lab import multipath, wiring
from weir_lab.checks import check
from weir_lab.guest.plan import CarrierRole, Watched

__all__ = ["checks", "gateway_groups", "roles"]

TOLERANCE_S = 0.01


def gateway_groups(experiment: Experiment, path: int) -> list[tuple[str, list[str]]]:
    """(program, lines) for this path's gateway, where an outage takes ports down.

    A bridge without a port that is up would lose its own carrier, and with it its queue. This one
    leads nowhere.
    """
    if not outages(experiment, path):
        return []
    return [
        (
            "ip",
            [
                "link add spare type veth peer name spare-end",
                "link set spare-end up",
                f"link set spare master {devices.home(path)} up",
            ],
        )
    ]


def roles(experiment: Experiment, epoch_s: float, folder: str) -> list[CarrierRole]:
    """Of each client on a path with such an outage; it leaves its events in `folder`."""
    found: list[CarrierRole] = []
    for number in range(1, len(experiment["clients"]) + 1):
        watched = _watched(experiment, number)
        if not watched:
            continue
        host = wiring.client_host(number)
        found.append(
            {
                "host": host,
                "module": "weir_lab.guest.carrier",
                "args": {
                    "watched": watched,
                    "elsewhere": _elsewhere(experiment, number),
                    "client": number,
                    "epoch_s": epoch_s,
                    "end_s": experiment["duration_s"],
                    "out": f"{folder}/events-{host}-carrier",
                },
                "awaited": True,
            }
        )
    return found


def _watched(experiment: Experiment, number: int) -> list[Watched]:
    """The client's devices on such paths; with MPTCP endpoints go and come with the carrier."""
    speaks = "transport" in experiment["clients"][number - 1]
    endpoints = multipath.endpoints(experiment, number) if speaks else []
    found: list[Watched] = []
    for path, each in enumerate(paths_of(experiment)):
        if number not in clients_on(experiment, path) or not outages(experiment, path):
            continue
        own = [words for at, words in endpoints if at == path]
        one: Watched = {
            "device": devices.edge(path),
            "lost": [f"mptcp endpoint delete {_id(words)}" for words in own],
            "back": [f"mptcp endpoint add {words}" for words in own],
        }
        if each["name"]:
            one["path"] = each["name"]
        found.append(one)
    return found


def _elsewhere(experiment: Experiment, number: int) -> bool:
    """Whether the client has an address on a path without such an outage."""
    return any(
        number in clients_on(experiment, path) and not outages(experiment, path)
        for path in range(len(paths_of(experiment)))
    )


def _id(words: str) -> str:
    found = re.search(r"id \d+", words)
    assert found is not None
    return found.group()


def checks(experiment: Experiment, events: list[EventRecord]) -> list[Check]:
    """When each client's interface saw its carrier go and come, against when it was to."""
    found: list[Check] = []
    for path, each in enumerate(paths_of(experiment)):
        for outage in outages(experiment, path):
            ends_s = outage["at_s"] + outage["for_s"]
            for at_s, begins in ((outage["at_s"], True), (ends_s, False)):
                if at_s < experiment["duration_s"]:
                    found += [
                        _seen(events, each["name"], wiring.client_host(number), at_s, begins)
                        for number in clients_on(experiment, path)
                    ]
    return found


def _seen(events: list[EventRecord], path: str, host: str, at_s: float, begins: bool) -> Check:
    here = [event for event in events if event.get("path", "") == path]
    seen = "carrier-lost" if begins else "carrier-back"
    times = [each["t_s"] for each in here if each["event"] == seen and each.get("host") == host]
    nearest = min(times, key=lambda t_s: abs(t_s - at_s), default=None)
    done = "outage-begins" if begins else "outage-ends"
    said = [line for each in here for line in each.get("applied", [])
            if each["event"] == done and abs(each["t_s"] - at_s) < TOLERANCE_S]  # fmt: skip
    name = "_".join(filter(None, [seen.replace("-", "_"), f"at_{at_s:.3f}s", path, host]))
    ok = nearest is not None and abs(nearest - at_s) <= TOLERANCE_S
    return check(name, at_s, said, nearest, TOLERANCE_S, ok)
