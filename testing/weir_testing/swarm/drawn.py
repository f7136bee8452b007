"""A whole experiment, drawn: what `weir validate` takes, and nothing that it refuses."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from weir.spec.control_options import OPTIONS

from weir_testing.swarm import links, viewers
from weir_testing.swarm.others import events, flows
from weir_testing.swarm.values import Document, maybe

__all__ = ["campaigns"]

LEAST_S, MOST_S = 12, 40
_CONTROLS = sorted(
    set(OPTIONS) - {"aimd", "fixed_window"}, key=lambda each: (each != "cubic", each)
)
_SYSCTLS: SearchStrategy[Document] = st.sampled_from(
    [{}, {"net.ipv4.tcp_slow_start_after_idle": 0}, {"net.ipv4.tcp_ecn": 1}]
)
_RARELY = st.sampled_from([False] * 7 + [True])


@st.composite
def campaigns(draw: st.DrawFn) -> Document:
    """A campaign of one run."""
    duration_s = draw(st.integers(LEAST_S, MOST_S))
    gateway = draw(_gateways(duration_s))
    names = list(gateway.get("paths", {}))
    server = draw(_servers())
    experiment: Document = {
        "duration": f"{duration_s}s",
        "content": draw(viewers.films()),
        "server": server,
        "gateway": gateway,
        "clients": draw(
            st.lists(
                viewers.clients(duration_s, names, server),
                min_size=1,
                max_size=2,
            )
        ),
        "traffic": draw(st.lists(flows(duration_s, _uplinks(gateway)), max_size=2)),
        "events": draw(events(duration_s, gateway)),
    }
    if not names and server["http_version"] == "1.1":
        experiment |= draw(maybe("sessions", viewers.sessions(duration_s, server)))
    if server["http_version"] == "1.1" and "sessions" not in experiment and draw(_RARELY):
        experiment["clients"][0] = draw(viewers.pinned(experiment["clients"][0]))
    shaping = draw(st.sampled_from(["none", "none", "htbm", "rwtm"]))
    if not names and "sessions" not in experiment:
        gateway["shaping"] = {"method": shaping}
    return {"name": "drawn", "seed": draw(st.integers(1, 9)), "experiment": experiment}


@st.composite
def _gateways(draw: st.DrawFn, duration_s: int) -> Document:
    count = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
    drawn = [draw(links.paths(duration_s)) for _ in range(count or 1)]
    if count:
        return {"paths": {f"p{number}": path for number, path in enumerate(drawn)}}
    behind = {key: drawn[0].pop(key) for key in ("rtt", "loss", "conditions") if key in drawn[0]}
    return {**drawn[0], "path": behind}


@st.composite
def _servers(draw: st.DrawFn) -> Document:
    version = draw(st.sampled_from(["1.1", "1.1", "2"]))
    # The one that clients tell what they want speaks HTTP/1.1 only.
    told = ["aimd"] * 3 if version == "1.1" else []
    return {
        "http": draw(st.sampled_from(["nginx", "apache"])),
        "http_version": version,
        "congestion_control": draw(st.sampled_from([*_CONTROLS, *told])),
        "sysctls": draw(_SYSCTLS),
    }


def _uplinks(gateway: Document) -> dict[str | None, bool]:
    """Name of each path, and whether its uplink has a rate."""
    every: dict[str | None, Any] = gateway.get("paths") or {None: gateway}
    return {name: "uplink" in path for name, path in every.items()}
