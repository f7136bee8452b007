"""Rules that bind what hosts do about ECN to congestion controls, and to what else sets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from weir import ecn
from weir.errors import Problem
from weir.programs import is_outside
from weir.resolved import EcnMode
from weir.spec.experiment import Experiment
from weir.spec.traffic import Udp

__all__ = ["SYSCTL", "broken_rules"]

SYSCTL: Final = "net.ipv4.tcp_ecn"
MODES: Final[tuple[EcnMode, ...]] = get_args(EcnMode)


def broken_rules(experiment: Experiment) -> Iterator[Problem]:
    """Every one that the experiment breaks; paths are relative to the experiment."""
    server = experiment.server
    flows = {
        index: flow for index, flow in enumerate(experiment.traffic) if not isinstance(flow, Udp)
    }
    if server.ecn is not None:
        if SYSCTL in server.sysctls:
            yield Problem(f"server.sysctls.{SYSCTL}", server.sysctls[SYSCTL], "where no server.ecn",
                          "both set the same; remove one")  # fmt: skip
        controls = [
            server.congestion_control,
            *(each.congestion_control for each in flows.values()),
        ]
        for control in dict.fromkeys(controls):
            yield from _too_little("server.ecn", server.ecn, control, "accepts")
    for index, client in enumerate(experiment.clients):
        if client.ecn is None:
            continue
        at = f"clients.{index}.ecn"
        if is_outside(client.player, experiment.clock):
            yield Problem(at, client.ecn, f"null with player: {client.player}",
                          "its host is no lab kernel; set it there, and remove it")  # fmt: skip
        yield from _too_little(at, client.ecn, server.congestion_control, "asks")
    for index, flow in flows.items():
        if flow.ecn is not None:
            yield from _too_little(
                f"traffic.{index}.ecn", flow.ecn, flow.congestion_control, "asks"
            )


def _too_little(at: str, asked: EcnMode, control: str, does: str) -> Iterator[Problem]:
    """Where the control needs more than what this host accepts or asks for."""
    needed = ecn.NEEDS.get(control)
    if needed is None:
        return

    def agreed(mode: EcnMode) -> ecn.Agreed:
        return ecn.agreed("accurate", mode) if does == "accepts" else ecn.agreed(mode, "accurate")

    enough = [mode for mode in MODES if agreed(mode) in (needed, "accurate")]
    if asked not in enough:
        yield Problem(at, asked, f"{', '.join(enough)} where {control} sends",
                      f"without {needed} ECN it is another control; write one")  # fmt: skip
