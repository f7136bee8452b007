"""Links, their queues, and the paths behind them, drawn."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from weir.spec.queues import DISCIPLINES

from weir_testing.swarm.values import Document, maybe, milliseconds, percent, rates

__all__ = ["paths", "queues"]

LEAST_KBPS = 400
MOST_KBPS = 30_000
LEAST_QUEUE = 12
"""Packets. Two bulk flows lock a third one out of a queue of four for good, which is no finding."""

TRACES = {"lte": False, "5g": True, "leo": True}
"""Of the folder beside this, by `weir trace`; whether round trips and loss come with the rate."""

_ECN = st.booleans()
_OPTIONS: dict[str, dict[str, SearchStrategy[Any]]] = {
    "codel": {"target": milliseconds(1, 40), "ecn": _ECN},
    "fq-codel": {"target": milliseconds(1, 40), "flows": st.sampled_from([1, 16, 1024])},
    "pie": {"target": milliseconds(5, 60), "ecn": _ECN},
    "dualpi2": {
        "target": milliseconds(5, 40),
        "ecn": _ECN,
        "coupling_factor": st.integers(1, 4),
        "drop_early": st.booleans(),
    },
    "red": {"gentle": st.booleans(), "idle": st.sampled_from(["aged", "as-linux"])},
    "ared": {"ecn": _ECN},
}


@st.composite
def queues(draw: st.DrawFn) -> Document:
    """Any discipline, in packets or BDPs."""
    name = draw(st.sampled_from(sorted(DISCIPLINES, key=lambda each: each != "drop-tail")))
    early = name in ("red", "ared")
    least = 30 if early else LEAST_QUEUE
    limit = draw(st.integers(least, 400).map(lambda each: f"{each}packets"))
    options = draw(st.fixed_dictionaries({}, optional=_OPTIONS.get(name, {})))
    return {"discipline": name, "limit": limit, **options}


@st.composite
def _steps(draw: st.DrawFn, duration_s: int) -> Document:
    moments = draw(st.lists(st.integers(1, duration_s - 1), max_size=3, unique=True).map(sorted))
    each = rates(LEAST_KBPS, MOST_KBPS)
    return {"steps": [{"at": f"{at}s", "rate": draw(each)} for at in [0, *moments]]}


def _links(duration_s: int) -> SearchStrategy[Document]:
    rate: SearchStrategy[Any] = st.one_of(rates(LEAST_KBPS, MOST_KBPS), _steps(duration_s))
    return st.fixed_dictionaries({"rate": rate, "queue": queues()})


def _upstreams() -> SearchStrategy[Document]:
    return st.fixed_dictionaries(
        {"rate": rates(LEAST_KBPS, MOST_KBPS), "queue": queues()},
        optional={"rtt": milliseconds(0, 80)},
    )


@st.composite
def _rtts(draw: st.DrawFn) -> Document:
    mean_ms = draw(st.integers(0, 200))
    return {
        "mean": f"{mean_ms}ms",
        "stddev": f"{draw(st.integers(0, mean_ms // 5))}ms",
        "distribution": draw(st.sampled_from(["normal", "uniform", "pareto", "paretonormal"])),
        "keep_order": draw(st.sampled_from([True, True, True, False])),
        "on": draw(st.sampled_from(["uplink", "downlink", "split"])),
    }


@st.composite
def paths(draw: st.DrawFn, duration_s: int) -> Document:
    """As one of gateway.paths is written."""
    loss = st.fixed_dictionaries({}, optional={"downlink": percent(3), "uplink": percent(3)})
    found = {"downlink": draw(_links(duration_s)), "rtt": draw(_rtts())}
    found |= draw(maybe("loss", loss))
    model = draw(st.sampled_from([None, None, None, None, *sorted(TRACES)]))
    if model is not None:
        trace = {"trace": f"traces/{model}.csv", "format": "rows"}
        found["downlink"] |= {"rate": trace}
        if TRACES[model]:
            found["conditions"] = trace
            found["rtt"] |= {"mean": "40ms", "stddev": draw(milliseconds(0, 20))}
    found |= draw(maybe("uplink", _links(duration_s)))
    found |= draw(maybe("upstream", _upstreams()))
    return found
