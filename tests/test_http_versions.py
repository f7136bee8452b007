"""HTTP/2 in a cell: the same film, one connection, the same bytes of a run twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.rundir import Columns
from weir_testing.cells import Runner, broken, bulk, client, experiment, rows

pytestmark = pytest.mark.kernel

OVER_2: dict[str, Any] = {"server.http_version": "2"}
SERVERS = ["nginx", "apache"]


def played(run: Runner, http: str, changes: dict[str, Any], **fields: Any) -> Columns:
    """The rows of a client that plays a film of ten segments at the top level."""
    film = {"server.http": http, "content.segments": 10, "duration_s": 60.0}
    result = run(experiment(film | changes, bulk(**fields)))
    assert not broken(result)
    assert len(result.data.flows) == 1
    (found,) = result.data.players
    return found


@pytest.mark.parametrize("http", SERVERS)
def test_the_film_is_the_same_by_either_version(run_once: Runner, http: str) -> None:
    older, newer = played(run_once, http, {}), played(run_once, http, OVER_2)
    for name in ("segment", "level", "size_bytes", "status"):
        assert list(older[name]) == list(newer[name])
    # What is added, 9 bytes a frame of 8 or 16 kB, is little beside 8 Mbit/s.
    assert newer["last_byte_s"] == pytest.approx(older["last_byte_s"], rel=0.01, abs=0.05)
    assert newer["first_byte_s"][1:] - newer["request_s"][1:] == pytest.approx(0.1, abs=0.005)


@pytest.mark.parametrize("http", SERVERS)
def test_several_in_flight_share_one_connection(run_once: Runner, http: str) -> None:
    found = played(run_once, http, OVER_2, in_flight=4)
    assert list(found["segment"]) == list(range(10)) and set(found["status"]) == {206}
    assert set(found["size_bytes"]) == {1_064_000}
    assert len(set(found["connection"])) == 1
    ended_s = np.sort(found["last_byte_s"])
    in_flight = [
        int((found["request_s"] <= at_s).sum() - np.searchsorted(ended_s, at_s, side="right"))
        for at_s in found["request_s"]
    ]
    assert max(in_flight) == 4
    assert ended_s[-1] == pytest.approx(10 * 1_064_000 * 8 / 8e6, rel=0.1)


@pytest.mark.parametrize("http", SERVERS)
def test_a_run_has_the_same_bytes_twice(run: Runner, http: str) -> None:
    asked = experiment(
        {**OVER_2, "server.http": http, "gateway.path.rtt.stddev_s": 0.005},
        client(), client(in_flight=3, start_s=2.0),
    )  # fmt: skip
    first, second = run(asked), run(asked)
    for one, other in zip(first.data.players, second.data.players, strict=True):
        assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)
    tcp = rows(first.data.tcp), rows(second.data.tcp)
    assert all(np.array_equal(tcp[0][name], tcp[1][name]) for name in tcp[0])


def test_a_patient_player_asks_when_it_said(run_once: Runner) -> None:
    """BOLA waits when its buffer is full enough; other segments come meanwhile."""
    waits = client("bola", buffer_s=20.0, in_flight=2, options={})
    result = run_once(experiment({**OVER_2, "duration_s": 60.0}, waits))
    assert not broken(result)
    (found,) = result.data.players
    assert list(found["segment"]) == list(range(len(found["segment"])))
    assert found["buffer_after_s"].max() <= 20.0
    assert (found["status"] == 206).sum() >= 25
