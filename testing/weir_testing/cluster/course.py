"""A campaign on the cluster: under way, and at its end."""

from __future__ import annotations

from typing import Final

from weir_testing.cluster.installed import Installed, names, until

RUNS: Final = 30


def begun(installed: Installed, campaign: str) -> str:
    """A running pod of a campaign of which some runs have ended."""
    until(lambda: installed.counts(campaign).get("succeeded", 0) >= 4, "some results", 300)
    running = [pod for pod in installed.pods(campaign) if pod["status"]["phase"] == "Running"]
    return names(running)[0]


def ends_well(installed: Installed, campaign: str, runs: int = RUNS) -> None:
    """Every run succeeded, and ended once."""
    until(lambda: installed.ended(campaign), "the end of the campaign", 900)
    assert installed.counts(campaign) == {"succeeded": runs}, installed.troubles(campaign)
    assert installed.each_ended_once(campaign, runs)
