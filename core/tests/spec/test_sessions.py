"""Sessions: what is drawn, what is resolved, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.draws import draw
from weir.spec.drawn import Exponential, LogNormal, Uniform, resolve
from weir_testing.spec import document, problems_of, resolved

STREAM: dict[str, Any] = {"kind": "stream", "rate": "3Mbit/s", "length": "10s", "moves": "none"}
LOG_NORMAL = {"distribution": "log-normal", "median": "9min", "sigma": 1.5}


def sessions(*groups: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    """The resolved clients of an experiment of these sessions alone."""
    raw: dict[str, Any] = {
        "duration": "4h",
        "clients": [],
        "sessions": {"groups": list(groups), **fields},
    }
    found: list[dict[str, Any]] = resolved(**raw)["clients"]
    return found


def test_each_kind_is_resolved_with_what_it_needs() -> None:
    stream, live, download, capped = sessions(
        {**STREAM, "start": "5s", "ahead": "20s"},
        {**STREAM, "kind": "live", "start": "5s", "ahead": "20s"},
        {"kind": "download", "size": "2MB"},
        {"kind": "download", "size": "2MB", "cap": "8Mbit/s", "start": "3s"},
    )
    film = {"bitrates_bps": [3e6], "segment_s": 1.0, "segments": 10, "sizes_bytes": None}
    assert stream["film"] == live["film"] == film
    assert (stream["start_s"], stream["deadlines"]["after_s"]) == (5.0, 20.0)
    assert "released_s" not in stream
    # A live stream's bytes exist 10 s before they are due: asked for no earlier than that.
    assert (live["deadlines"]["after_s"], live["released_s"]) == (10.0, 5.0)
    assert download["film"] | {"bitrates_bps": [16e6], "segments": 1} == download["film"]
    assert capped["film"] | {"bitrates_bps": [8e6], "segments": 2} == capped["film"]
    assert capped["released_s"] == 3.0


def test_a_scenario_follows_from_its_own_seed() -> None:
    drawn = {**STREAM, "count": 25, "length": {**LOG_NORMAL, "at_most": "2h"}}
    first = sessions(drawn)
    assert first == sessions(drawn) != sessions(drawn, seed=2)
    assert sessions({**drawn, "count": 50})[:25] == first
    others = sessions({**drawn, "start": {"distribution": "uniform", "at_least": "0s",
                                          "at_most": "1h"}})  # fmt: skip
    assert [each["film"] for each in others] == [each["film"] for each in first]
    assert len({each["start_s"] for each in others}) == 25


GRID = (np.arange(20000) + 0.5) / 20000


@pytest.mark.parametrize(
    ("drawn", "mean", "median"),
    [
        (Uniform[float](distribution="uniform", at_least=1.0, at_most=3.0), 2.0, 2.0),
        # exp(2.2 + 1.5^2 / 2) = 27.8; the cut, eight sigmas up, takes nothing.
        (LogNormal[float](distribution="log-normal", median=np.exp(2.2), sigma=1.5, at_most=1e6),
         27.8, 9.025),
        # Phi((ln 120 - 2.2) / 1.5) = 0.9577: the median is the quantile 0.4788 of the uncut one,
        # the mean 27.8 Phi((ln 120 - 2.2) / 1.5 - 1.5) / 0.9577.
        (LogNormal[float](distribution="log-normal", median=np.exp(2.2), sigma=1.5, at_most=120.0),
         17.10, 8.336),
        (Exponential[float](distribution="exponential", mean=5.0, at_most=1e6), 5.0, 3.4657),
    ],
)  # fmt: skip
def test_draws_have_the_distributions_moments(drawn: Any, mean: float, median: float) -> None:
    values = np.array([draw(resolve(drawn), float(u)) for u in GRID])
    assert values.mean() == pytest.approx(mean, rel=0.01)
    assert np.median(values) == pytest.approx(median, rel=0.005)
    assert values.max() <= drawn.at_most


@pytest.mark.parametrize(
    ("group", "path", "remedy"),
    [
        ({**STREAM, "length": LOG_NORMAL}, "length.at_most", "above what nothing is drawn"),
        ({**STREAM, "start": {"distribution": "exponential", "mean": "10s"}}, "start.at_most",
         "above what nothing is drawn"),
        ({**STREAM, "rate": {"distribution": "uniform", "at_least": "2Mbit/s",
                             "at_most": "1Mbit/s"}}, "rate.at_most", "raise it"),
        ({**STREAM, "rate": {"distribution": "log-normall"}}, "rate.distribution",
         "did you mean log-normal?"),
        ({**STREAM, "moves": "alpha"}, "moves", "set server.congestion_control: aimd"),
        ({**STREAM, "lower": "20s"}, "lower", "lower it or raise upper"),
        ({**STREAM, "start": "4h"}, "start", "raise duration"),
        ({"kind": "download", "size": "1MB", "aimd": {}}, "aimd", "remove it"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(group: dict[str, Any], path: str, remedy: str) -> None:
    raw = document(duration="4h", sessions={"groups": [group]})
    problems = {problem.path: problem for problem in problems_of(raw)}
    where = f"experiment.sessions.groups.0.{path}"
    assert where in problems, problems
    assert remedy in problems[where].remedy


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"clients": []}, "clients"),
        ({"content": None}, "content"),
        ({"clock": "real", "sessions": {"groups": [STREAM]}}, "sessions"),
        ({"server": {"http_version": "2"}, "sessions": {"groups": [STREAM]}},
         "server.http_version"),
        ({"sessions": {"groups": [{**STREAM, "count": 500}]}}, "clients"),
    ],
)  # fmt: skip
def test_what_sessions_do_not_go_with_is_refused(change: dict[str, Any], path: str) -> None:
    assert f"experiment.{path}" in [problem.path for problem in problems_of(document(**change))]
