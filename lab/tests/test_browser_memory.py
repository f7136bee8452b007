"""Memory that a guest has more where clients are Chromium."""

from __future__ import annotations

from typing import Any

from weir_lab.boot import Boot
from weir_lab.browser_memory import film_mib, more_mib
from weir_testing.cells import client, experiment

OPTIONS = {"version": "5.2.1", "settings": {}}


def needed(*clients: Any, **content: Any) -> int:
    changes = {f"content.{name}": value for name, value in content.items()}
    return more_mib(experiment(changes, *clients))


def chromium(**fields: Any) -> Any:
    return client("chromium", options=OPTIONS, **fields)


def test_only_chromium_needs_more() -> None:
    assert needed(client(), client("dashjs", options=OPTIONS)) == 0
    mib = needed(chromium())
    assert Boot(0, 1, 0, 0, more_mib=mib).memory_mib == Boot(0, 1, 0, 0).memory_mib + mib


def test_each_browser_has_its_own_and_the_film_is_one() -> None:
    one, two, three = (needed(*[chromium()] * count) for count in (1, 2, 3))
    assert two - one == three - two > 100
    assert one > two - one


def test_what_a_browser_buffers_counts_up_to_what_it_keeps() -> None:
    small, large = (needed(chromium(buffer_s=buffer_s)) for buffer_s in (10.0, 40.0))
    # The highest level has 4256 kbit/s; ten or forty seconds more of film have few pages in memory.
    assert 14 <= large - small < 14 + 13
    small, large = (
        needed(chromium(buffer_s=buffer_s), bitrates_bps=[200e6]) for buffer_s in (10.0, 40.0)
    )
    assert 0 <= large - small < 10


def test_on_the_real_clock_its_guests_have_the_film_alone() -> None:
    asked = experiment({"clock": "real"}, chromium())
    assert 0 < more_mib(asked) == film_mib(asked) < 50
    emulated = experiment({"clock": "real"}, client())
    assert film_mib(emulated) == more_mib(emulated) == 0
