"""Runs are brought together by their levels, whoever asks."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from weir_engine.groups import grouped

_LEVELS = st.fixed_dictionaries(
    {"rate": st.sampled_from([1, 2.5, "8Mbit/s"]), "queue": st.sampled_from([{"limit": 3}, None])}
)


def test_groups_come_in_the_order_of_their_first_run_with_its_levels() -> None:
    runs = [({"cc": cc, "rtt": rtt}, f"{cc} {rtt}") for rtt in (20, 10) for cc in ("reno", "cubic")]
    by_one = grouped(runs, ["cc"])
    assert [(group.levels, group.members) for group in by_one] == [
        ({"cc": "reno"}, ["reno 20", "reno 10"]),
        ({"cc": "cubic"}, ["cubic 20", "cubic 10"]),
    ]
    assert [group.key for group in grouped(runs, ["rtt", "cc"])] == [
        ("20", "reno"),
        ("20", "cubic"),
        ("10", "reno"),
        ("10", "cubic"),
    ]


def test_without_factors_all_runs_are_one_group() -> None:
    (group,) = grouped([({"cc": "reno"}, 1), ({"cc": "cubic"}, 2)], [])
    assert (group.key, group.levels, group.members) == ((), {}, [1, 2])


@given(st.lists(_LEVELS), st.sampled_from([["rate"], ["queue", "rate"], []]))
def test_every_run_is_in_the_one_group_of_its_levels(
    runs: list[dict[str, Any]], factors: list[str]
) -> None:
    groups = grouped(((own, place) for place, own in enumerate(runs)), factors)
    assert sorted(place for group in groups for place in group.members) == list(range(len(runs)))
    assert len({group.key for group in groups}) == len(groups)
    for group in groups:
        for place in group.members:
            assert group.levels == {path: runs[place][path] for path in factors}
