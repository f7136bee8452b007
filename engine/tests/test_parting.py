"""The first moment at which two runs part, by rows written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from weir.rundir import PLAYER, QUEUE, QUEUE_10MS, TCP, Columns, RunData
from weir.rundir.schemas import columns_of_rows
from weir_engine.parting import partings

NAN = float("nan")


def packet(arrival_ns: int, departure_ns: int, **other: int) -> dict[str, int]:
    rest = {"fate": 0, "reason": 0, "size": 1500, "flow": 0, "backlog": 0, "seq": arrival_ns}
    return {
        **rest,
        "payload": 1448,
        "arrival_ns": arrival_ns,
        "departure_ns": departure_ns,
        **other,
    }


def segment(request_s: float, last_byte_s: float, **other: float) -> dict[str, float]:
    return {
        **dict.fromkeys(PLAYER.names, 0.0),
        **{"request_s": request_s, "first_byte_s": request_s + 0.1, "last_byte_s": last_byte_s},
        **{"estimate_bps": NAN, "status": 206},
        **other,
    }


def ack(t_ns: int, cwnd: int) -> dict[str, int]:
    return {**dict.fromkeys(TCP.names, 1), "t_ns": t_ns, "cwnd": cwnd}


def run(
    packets: list[dict[str, int]] | None = None,
    segments: list[dict[str, float]] | None = None,
    acks: list[dict[str, int]] | None = None,
) -> RunData:
    def table(schema: Any, rows: list[Any] | None) -> Columns | None:
        return None if rows is None else columns_of_rows(schema, rows)

    player = columns_of_rows(PLAYER, segments or [])
    experiment: Any = {}
    return RunData(experiment, [player], tcp=table(TCP, acks), queue=table(QUEUE, packets))


def test_a_run_never_parts_from_itself() -> None:
    one = run([packet(10, 20), packet(30, -1)], [segment(1.0, 2.0)], [ack(5, 10)])
    assert partings(one, one) == []


def test_a_packet_that_leaves_later_parts_when_it_first_would_have_left() -> None:
    a = run([packet(10, 100), packet(20, 200), packet(30, 300)])
    b = run([packet(10, 100), packet(20, 250), packet(30, 300)])
    (found,) = partings(a, b)
    assert (found.record, found.row, found.t_s) == ("queue", 1, 200e-9)
    (difference,) = found.differences
    assert (difference.column, difference.a, difference.b) == ("departure_ns", 200, 250)


def test_a_later_row_can_part_earlier() -> None:
    # The second packet stays until 900; another packet that comes at 40 or 45 is sooner.
    a = run([packet(10, 100), packet(20, 900), packet(40, 950)])
    b = run([packet(10, 100), packet(20, 990), packet(45, 950)])
    (found,) = partings(a, b)
    assert (found.row, found.t_s) == (2, 40e-9)


def test_rows_after_one_that_came_at_another_time_are_not_the_same_rows() -> None:
    a = run([packet(10, 50), packet(20, 60)])
    b = run([packet(15, 55), packet(20, 30)])
    (found,) = partings(a, b)
    assert (found.row, found.t_s) == (0, 10e-9)


def test_the_run_that_goes_on_parts_by_its_next_row() -> None:
    a, b = run([packet(10, 50)]), run([packet(10, 50), packet(70, 80)])
    (found,) = partings(a, b)
    assert (found.row, found.t_s) == (1, 70e-9)
    assert found.differences[0].a is None
    assert found.differences[0].b == 70


def test_what_is_undefined_in_both_is_the_same_and_a_chosen_level_parts_at_its_request() -> None:
    a = run(segments=[segment(1.0, 2.0), segment(2.0, 3.0, level=1)])
    b = run(segments=[segment(1.0, 2.0), segment(2.0, 3.5, level=2)])
    (found,) = partings(a, b)
    assert (found.record, found.client, found.row, found.t_s) == ("player", 1, 1, 2.0)
    assert [each.column for each in found.differences] == ["level", "last_byte_s"]


def test_bins_tell_only_where_packets_were_not_recorded() -> None:
    def binned(dropped: int, packets: list[dict[str, int]] | None) -> RunData:
        found = run(packets)
        row = {**dict.fromkeys(QUEUE_10MS.names, 0), "t_ns": 10_000_000, "dropped": dropped}
        found.queue_10ms = columns_of_rows(QUEUE_10MS, [row])
        return found

    packets = [packet(12_000_000, 13_000_000)]
    lost = [packet(12_000_000, 13_000_000, fate=1)]
    (exact,) = partings(binned(0, packets), binned(1, lost))
    assert (exact.record, exact.t_s) == ("queue", 0.013)
    (coarse,) = partings(binned(0, packets), binned(1, None))
    assert (coarse.record, coarse.t_s) == ("queue_10ms", 0.01)


def test_the_earliest_record_comes_first_and_one_that_was_off_is_left_out() -> None:
    a = run([packet(10, 50)], [segment(1.0, 2.0)], [ack(5, 10), ack(9, 11)])
    b = run(None, [segment(1.0, 2.5)], [ack(5, 10), ack(9, 12)])
    found = partings(a, b)
    assert [(each.record, each.t_s) for each in found] == [("tcp", 9e-9), ("player", 2.0)]
    assert np.isfinite([each.t_s for each in found]).all()
