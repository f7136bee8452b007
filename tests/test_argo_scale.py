"""Scaling by calculation (bench/weir_bench/argo_scale.py), against examples by hand."""

from __future__ import annotations

import math
from dataclasses import replace

from weir_bench.argo_scale import Campaign, Costs, Part, scaled

FREE = Costs(10.0, *[Part()] * len(Costs().parts()))


def test_nodes_alone() -> None:
    """1,200 runs of a second each on ten nodes: 120 on each, two at a time, after a pod's start."""
    one = scaled(Campaign(1_200, 1.0), 10, FREE)
    assert (one.pods, one.work_s, one.wall_s, one.share) == (10, 70.0, 70.0, 0.0)


def test_batches_of_ten_minutes_one_after_the_other() -> None:
    """120,000 runs on ten nodes: 100 pods of 1,200 runs, ten times ten minutes and a start."""
    one = scaled(Campaign(120_000, 1.0), 10, FREE)
    assert (one.pods, one.work_s) == (100, 10 * 610.0)


def test_what_is_busy_for_longest_is_waited_for() -> None:
    """10 ms of two cores for each of 120,000 runs are 600 s, however many nodes there are."""
    busy = replace(FREE, postgres=Part(run_ms=10.0), minio=Part(run_ms=1.0))
    few, many = (scaled(Campaign(120_000, 1.0), nodes, busy) for nodes in (10, 1000))
    assert few.busiest == many.busiest == "postgres"
    assert few.wall_s == few.work_s
    assert math.isclose(few.share, 600 / 6100)
    assert (many.work_s, many.wall_s, many.share) == (70.0, 600.0, 1.0)


def test_pods_cost_by_their_number() -> None:
    """1,000 pods of which the controller begins 270 in a minute."""
    one = scaled(Campaign(2_000, 1.0), 1_000, replace(FREE, argo_requests=Costs().argo_requests))
    assert (one.pods, one.busiest) == (1_000, "argo_requests")
    assert math.isclose(one.wall_s, 60_000 / 270)
