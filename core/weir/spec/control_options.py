"""Congestion controls: which an experiment names, and what can be set of the lab kernel's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from weir.errors import Problem
from weir.resolved import Experiment
from weir.spec.names import nearest
from weir.spec.server import Server

__all__ = ["OPTIONS", "broken_rules", "unknown"]

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "aimd": ("alpha_milli", "beta_milli"),
        "balia": (),
        "bbr": (),
        "bic": (
            "beta",
            "fast_convergence",
            "initial_ssthresh",
            "low_window",
            "max_increment",
            "smooth_part",
        ),
        "cubic": (
            "beta",
            "fast_convergence",
            "hystart",
            "hystart_ack_delta_us",
            "hystart_detect",
            "hystart_low_window",
            "initial_ssthresh",
            "tcp_friendliness",
        ),
        "cwv_paper": (),
        "dctcp": ("dctcp_alpha_on_init",),
        "fixed_window": (),
        "htcp": ("use_bandwidth_switch", "use_rtt_scaling"),
        "illinois": (),
        "lia": (),
        "newcwv": ("pacing",),
        "newcwv_paper": (),
        "olia": (),
        "prague": (),
        "reno": (),
        "vegas": ("alpha", "beta", "gamma"),
        "westwood": (),
        "wvegas": (),
    }
)
"""Parameters of its module that can be written, by control; those in lab/cc are its C file's
`module_param`, the others Linux's. Of a control that is not here the run says what it has."""


def broken_rules(server: Server) -> Iterator[Problem]:
    """Options that the congestion control has not."""
    has = OPTIONS.get(server.congestion_control)
    if has is None:
        return
    for name, value in server.congestion_control_options.items():
        if name not in has:
            near = nearest(name, has)
            none = f"remove it; {server.congestion_control} has no options"
            yield Problem(
                f"server.congestion_control_options.{name}",
                value,
                f"options of {server.congestion_control}: {', '.join(has) or 'none'}",
                f"did you mean {near}?" if near else "name one of them" if has else none,
            )


def unknown(experiment: Experiment, known: Collection[str]) -> Iterator[Problem]:
    """Controls that the experiment names and a lab kernel that has `known` lacks."""
    named = {"server.congestion_control": experiment["server"]["congestion_control"]}
    for number, flow in enumerate(experiment.get("traffic", [])):
        if control := flow.get("congestion_control"):
            named[f"traffic.{number}.congestion_control"] = control
    for where, control in named.items():
        if control not in known:
            yield Problem(where, control, ", ".join(known), _remedy(control, known))


def _remedy(control: str, known: Collection[str]) -> str:
    near = nearest(control, known)
    return (
        (f"did you mean {near}? Else put" if near else "name one of them, or put")
        + " its C file into lab/cc and run `weir kernel build`, or send the file with the campaign "
        "to a platform that accepts it"
    )
