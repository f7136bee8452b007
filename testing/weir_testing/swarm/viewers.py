"""Films and who asks for them: players and sessions, drawn."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from weir.programs import PINNED

from weir_testing.swarm.values import Document, maybe, milliseconds, rates, seconds

__all__ = ["clients", "films", "pinned", "sessions"]

PLAYERS = [
    *["aggressive-rate", "fixed", "classic1", "classic2", "festive"],
    *["bba0", "bba1", "bba2", "bba3", "dashjs-throughput", "bola", "dynamic"],
]
MOVES = ["alpha", "beta", "none"]
AIMD = st.fixed_dictionaries({"alpha": st.floats(0.05, 4), "beta": st.floats(0.1, 0.9)})
_TIMED = st.fixed_dictionaries(
    {}, optional={"startup_s": st.integers(0, 4), "resume_s": st.integers(0, 4)}
)


@st.composite
def films(draw: st.DrawFn) -> Document:
    """Up to five levels; of constant or of drawn sizes; with an end or without."""
    ladder_kbps = draw(st.lists(st.integers(150, 8000), min_size=1, max_size=5, unique=True))
    found: Document = {
        "ladder": [f"{each}kbit/s" for each in sorted(ladder_kbps)],
        "segment": draw(milliseconds(500, 6000)),
    }
    generated = st.fixed_dictionaries({"generate": st.fixed_dictionaries({"seed": st.just(1)})})
    return found | draw(
        st.one_of(
            st.just({}),
            st.fixed_dictionaries({"segments": st.integers(1, 30)}),
            st.fixed_dictionaries({"segments": st.integers(1, 30), "sizes": generated}),
        )
    )


@st.composite
def clients(draw: st.DrawFn, duration_s: int, names: list[str], server: Document) -> Document:
    """One entry. names: of gateway.paths. server: as drawn."""
    told = server["congestion_control"] == "aimd"
    player = draw(st.sampled_from([*PLAYERS, *(["fixed"] * 6 if told else [])]))
    options = draw(_TIMED) | ({"level": 0} if player == "fixed" else {})
    found: Document = {
        "player": player,
        "options": options,
        "buffer": draw(seconds(6, 60)),
        "start": draw(milliseconds(0, 1000 * duration_s // 3)),
        "count": draw(st.integers(1, 3)),
    }
    found |= draw(maybe("stop", seconds(duration_s // 2, duration_s)))
    several = server["http_version"] == "2" and draw(st.booleans())
    found |= {"in_flight": draw(st.integers(2, 4))} if several else draw(_live())
    if names:
        found |= draw(_transports(names))
    if told and found.get("transport") != "mptcp":
        found |= draw(_asked_of_aimd(player))
    return found


@st.composite
def pinned(draw: st.DrawFn, client: Document) -> Document:
    """This client, with dash.js or hls.js itself as its player."""
    player = draw(st.sampled_from(list(PINNED)))
    kept = {key: client[key] for key in client if key not in ("live", "aimd", "deadlines")}
    return kept | {
        "player": player,
        "options": {"version": draw(st.sampled_from(PINNED[player].versions))},
        "count": draw(st.integers(1, 2)),
    }


def _asked_of_aimd(player: str) -> SearchStrategy[Document]:
    due = st.fixed_dictionaries({"after": seconds(2, 15), "moves": st.sampled_from(MOVES)})
    either = [maybe("aimd", AIMD), *([maybe("deadlines", due)] if player == "fixed" else [])]
    return st.one_of(either)


def _live() -> SearchStrategy[Document]:
    return st.sampled_from([{}, {}, {}, {"live": True}])


@st.composite
def _transports(draw: st.DrawFn, names: list[str]) -> Document:
    if not draw(st.booleans()):
        return {"paths": [draw(st.sampled_from(names))]}
    used = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4))
    others = sorted(set(used) - {used[0]})
    backup = draw(st.lists(st.sampled_from(others), max_size=1)) if others else []
    return {"transport": "mptcp", "paths": used, "backup": backup}


@st.composite
def sessions(draw: st.DrawFn, duration_s: int, server: Document) -> Document:
    """A group or two of streams, live films and downloads."""
    told = server["congestion_control"] == "aimd"
    start = {
        "distribution": "uniform",
        "at_least": "0s",
        "at_most": f"{duration_s // 2}s",
    }
    timed = {"start": st.just(start), "count": st.integers(1, 4)}
    watched = {
        "rate": rates(150, 4000),
        "length": seconds(3, 20),
        "moves": st.sampled_from(MOVES if told else ["none"]),
    }
    group = st.one_of(
        st.fixed_dictionaries({"kind": st.just("stream"), **timed, **watched}),
        st.fixed_dictionaries({"kind": st.just("live"), **timed, **watched}),
        st.fixed_dictionaries(
            {"kind": st.just("download"), **timed, "size": st.just("500kB")},
            optional={"cap": rates(150, 4000), **({"aimd": AIMD} if told else {})},
        ),
    )
    return {"groups": draw(st.lists(group, min_size=1, max_size=2))}
