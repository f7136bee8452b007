"""What a client's first requests ask of the transport."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weir_client.http import Connection
from weir_client.opening import opening

DEADLINES = {
    "after_s": 15.0,
    "length_s": 600.0,
    "rate_bps": 3e6,
    "moves": "beta",
    "lower_s": 5.0,
    "upper_s": 20.0,
}


def client(**fields: Any) -> Any:
    return {"player": "fixed", "start_s": 100.0, **fields}


def test_deadlines_are_told_once_and_relative_to_the_request() -> None:
    line = opening(client(deadlines=DEADLINES))
    assert line
    assert line(100.06) == (
        b"Weir-Deadline: in=14.940 length=600.000 rate=3000000 lower=5.000 upper=20.000 "
        b"parameter=beta\r\n"
    )
    assert line(200.0) == b""


def test_parameters_are_told_to_each_connection() -> None:
    line = opening(client(aimd={"alpha": 0.05, "beta": 0.3}))
    assert line and line(1.0) == line(2.0) == b"Weir-AIMD: alpha=0.050 beta=0.300\r\n"


def test_what_is_only_measured_is_not_told() -> None:
    assert opening(client(deadlines=DEADLINES | {"moves": "none"})) is None
    assert opening(client()) is None


def test_web_servers_pass_over_it_and_only_a_connections_first_request_has_it(
    nginx: Callable[..., int],
) -> None:
    told = []

    def line(now_s: float) -> bytes:
        told.append(now_s)
        return b"Weir-AIMD: alpha=0.500 beta=0.300\r\n"

    connection = Connection("127.0.0.1", nginx([1000], keepalive=2), opening=line)
    replies = [connection.get(b"/level-0", 0, 9) for _ in range(4)]
    assert [reply.status for reply in replies] == [206] * 4
    assert len(told) == len({reply.port for reply in replies}) == 2
    connection.close()
