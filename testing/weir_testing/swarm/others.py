"""Other traffic and events, drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from weir_testing.swarm.values import Document, milliseconds, percent, rates, seconds

__all__ = ["LAST_FAULT_SHARE", "events", "flows"]

LAST_FAULT_SHARE = 0.5
"""Of the experiment: by then every fault has ended."""


@st.composite
def flows(draw: st.DrawFn, duration_s: int, uplinks: dict[str | None, bool]) -> Document:
    """uplinks: by path (None: the only one), whether a sender at home would meet a link's rate."""
    path = draw(st.sampled_from(list(uplinks)))
    up = ["downlink", "uplink"] if uplinks[path] else ["downlink"]
    found: Document = {"start": draw(seconds(0, duration_s // 2)), "count": draw(st.integers(1, 3))}
    found |= {} if path is None else {"path": path}
    found |= {"direction": draw(st.sampled_from(up))}
    kind = draw(st.sampled_from(["tcp", "udp", "request-response"]))
    if kind == "udp":
        paused = st.sampled_from([{}, {"on": "500ms", "off": "500ms"}])
        found |= {"rate": draw(rates(50, 2000)), "packet": draw(st.integers(64, 1500))}
        found |= draw(paused)
    elif kind == "request-response":
        found |= {"size": draw(st.sampled_from(["2kB", "200kB"]))}
        found |= {"think": draw(milliseconds(100, 3000))}
    return {"kind": kind, **found}


@st.composite
def events(draw: st.DrawFn, duration_s: int, gateway: Document) -> list[Document]:
    """None that overlap, and all over by the middle."""
    last_ms = round(1000 * duration_s * LAST_FAULT_SHARE)
    moments = draw(st.lists(st.integers(100, last_ms), max_size=4, unique=True).map(sorted))
    spans = list(pairwise(moments))[::2]
    return [
        {"at": f"{start}ms", "for": f"{end - start}ms", **draw(_kinds(gateway))}
        for start, end in spans
    ]


@st.composite
def _kinds(draw: st.DrawFn, gateway: Document) -> Document:
    every: dict[str | None, Any] = gateway.get("paths") or {None: gateway}
    name = draw(st.sampled_from(list(every)))
    path = every[name]
    rtt = path["rtt"] if name else path["path"]["rtt"]
    kinds: list[Document] = [
        {"down": "silent"},
        {"down": "carrier"},
        {"loss": draw(percent(60)), "on": draw(st.sampled_from(["downlink", "uplink"]))},
    ]
    if "conditions" in (path if name else path["path"]):
        kinds = [{"down": "carrier"}]
    else:
        if isinstance(path["downlink"]["rate"], str):
            kinds.append({"rate": draw(rates(200, 20_000))})
        if (mean_ms := int(rtt["mean"].removesuffix("ms"))) > 0:
            kinds.append({"rtt": draw(milliseconds(mean_ms, 400))})
    return draw(st.sampled_from(kinds)) | ({} if name is None else {"path": name})
