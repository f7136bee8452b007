"""A second bottleneck: what is resolved, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from weir.paths import idle_rtt_s, paths_of, with_upstream
from weir_testing.spec import document, problems_of, resolved

PATH = {"downlink": {"rate": "8Mbit/s"}, "rtt": {"mean": "20ms"}}


def test_it_has_a_rate_a_queue_and_a_delay_of_its_own() -> None:
    asked = resolved(
        gateway__upstream={"rate": "12Mbit/s", "rtt": "50ms", "queue": {"limit": "1bdp"}}
    )
    upstream = asked["gateway"]["upstream"]
    assert upstream["rtt_s"] == 0.05
    assert upstream["link"]["rate_steps"] == [[0.0, 12e6]]
    # Of the whole round trip, 100 and 50 ms: 12 Mbit/s hold 150 packets in it.
    assert upstream["link"]["queue"]["limit_packets"] == 150
    assert asked["gateway"]["downlink"]["queue"]["limit_packets"] == 100
    assert idle_rtt_s(paths_of(asked)[0]) == pytest.approx(0.15)


def test_without_it_nothing_is_said_of_it() -> None:
    asked = resolved()
    assert "upstream" not in asked["gateway"]
    assert with_upstream(asked) == []
    assert asked["gateway"]["downlink"]["queue"]["limit_packets"] == 67


def test_each_path_may_have_one() -> None:
    asked = resolved(
        gateway={"paths": {"wifi": PATH, "lte": {**PATH, "upstream": {"rate": "4Mbit/s"}}}}
    )
    assert with_upstream(asked) == [1]
    assert paths_of(asked)[1]["upstream"]["link"]["rate_steps"] == [[0.0, 4e6]]


SECOND = {"rate": "4Mbit/s"}
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"clock": "real", "gateway__upstream": SECOND}, "gateway.upstream", "set clock: virtual"),
    ({"gateway__upstream": {"rate": {"steps": [{"at": "1s", "rate": "4Mbit/s"}]}}},
     "gateway.upstream.rate.steps.0.at", "begin at 0s"),
    ({"gateway": {"upstream": SECOND, "paths": {"wifi": PATH}}}, "gateway.upstream",
     "each path has its own"),
    ({"gateway": {"paths": {f"p{k}": {**PATH, "upstream": SECOND} for k in range(6)}}},
     "gateway.paths.p0.upstream", "use fewer"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "path", "remedy"), REFUSED)
def test_what_cannot_be_is_refused(fields: dict[str, Any], path: str, remedy: str) -> None:
    problems = {problem.path: problem for problem in problems_of(document(**fields))}
    assert f"experiment.{path}" in problems, problems
    assert remedy in problems[f"experiment.{path}"].remedy
