"""Searches whose runs fail, or that are paused, cancelled and run again, find their levels."""

from __future__ import annotations

import pytest
from weir_testing.platform import Platform
from weir_testing.platform.searching import (
    begin,
    carry_out,
    found,
    got,
    look,
    missing,
    steer,
    until_over,
)


def test_a_run_that_fails_ends_its_subject_until_it_is_run_again(platform: Platform) -> None:
    campaign = begin(platform)

    def failing(control: str, rate: int, replicate: int) -> int | None:
        drops = missing(control, rate, replicate)
        return None if (control, rate, replicate) == ("cubic", 5, 1) else drops

    until_over(platform, failing)
    cubic, reno = got(platform, f"{campaign}/search")["subjects"]
    assert (cubic["state"], reno["state"]) == ("none", "found")
    assert cubic["reason"].startswith("at 5Mbit/s: the run ")
    assert cubic["trials"][1]["verdict"] == "unknown"
    assert got(platform, campaign)["state"] == "finished"
    assert steer(platform, f"{campaign}/rerun", only=["failed"]) == {"queued": 1}
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


def test_paused_it_waits_and_goes_on_when_resumed(platform: Platform) -> None:
    campaign = begin(platform)
    carry_out(platform)
    steer(platform, f"{campaign}/pause")
    look(platform)
    assert carry_out(platform) == 0
    assert got(platform, campaign)["state"] == "paused"
    steer(platform, f"{campaign}/resume")
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"


@pytest.mark.parametrize("between", [True, False])
def test_cancelled_it_ends_and_goes_on_when_run_again(platform: Platform, between: bool) -> None:
    """between: two rounds, when no run is left to be cancelled."""
    campaign = begin(platform)
    carry_out(platform)
    if not between:
        look(platform)
    steer(platform, f"{campaign}/cancel")
    assert not look(platform)
    cancelled = got(platform, campaign)
    assert cancelled["state"] == "cancelled"
    assert cancelled["counts"].get("cancelled", 0) == (0 if between else 4)
    steer(platform, f"{campaign}/rerun", only=["cancelled"])
    assert got(platform, campaign)["state"] == "active"
    look(platform)
    until_over(platform)
    assert found(platform, campaign) == ["6Mbit/s", "3Mbit/s"]
    assert got(platform, campaign)["state"] == "finished"
