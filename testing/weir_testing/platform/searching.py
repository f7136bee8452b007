"""Campaigns that search, carried out round by round as a worker and a housekeeper do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlalchemy import select
from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination, Run
from weir_orchestrator.housekeeping.searches import Searches
from weir_orchestrator.lifecycle import table
from weir_orchestrator.work.metric_rows import store_values

from weir_testing.platform import Platform
from weir_testing.platform.campaigns import expand_all, stored_result, submit
from weir_testing.platform.results import read

__all__ = [
    "CHANGES", "CONTROL", "NEEDED", "RATE", "SEARCH", "Drops",
    "begin", "carry_out", "found", "got", "look", "missing", "steer", "until_over",
]  # fmt: skip

RATE: Final = "gateway.downlink.rate"
CONTROL: Final = "server.congestion_control"
NEEDED: Final = {"cubic": 6, "reno": 3}
SEARCH: Final[dict[str, Any]] = {
    "factor": RATE,
    "from": "1Mbit/s",
    "to": "9Mbit/s",
    "step": "1Mbit/s",
    "passes": {"metric": "drops_burst", "at_most": 0},
    "confirm": 1,
}
CHANGES: Final[dict[str, Any]] = {
    "search": SEARCH,
    "factors": {CONTROL: ["cubic", "reno"]},
    "replicates": 2,
}

Drops = Callable[[str, int, int], int | None]
"""Control, rate in Mbit/s and replicate -> drops; None: the run fails."""


def missing(control: str, rate: int, replicate: int) -> int:
    """A drop for each Mbit/s that is missing."""
    return max(0, NEEDED[control] - rate)


def carry_out(platform: Platform, drops: Drops = missing, at_most: int = 1_000) -> int:
    """End what is queued of campaigns that are active, as workers do; how many runs."""
    with platform.sessions() as session:
        query = (
            select(Run.key, Run.campaign_id, Run.replicate, Combination.levels)
            .join(Campaign, Campaign.id == Run.campaign_id)
            .join(
                Combination,
                (Combination.campaign_id == Run.campaign_id)
                & (Combination.number == Run.combination),
            )
            .where(Run.state == "queued", Campaign.state == "active")
        )
        queued = session.execute(query.order_by(Run.position).limit(at_most)).all()
    for key, campaign_id, replicate, levels in queued:
        rate = int(levels[RATE].removesuffix("Mbit/s"))
        count = drops(levels[CONTROL], rate, replicate)
        with platform.sessions.begin() as session:
            if count is None:
                lifecycle.end_runs(session, Run.key == key, table.FAIL, "no disk")
            else:
                run = {"drops_burst": count, "edf_rate_bps": 4e6}
                metrics = {"run": run, "clients": [{"client": 1, "rank": 1}]}
                result = stored_result(key, "succeeded", metrics=metrics)
                session.add(result)
                session.flush()
                store_values(session, {result.id: metrics})
                ended = (table.SUCCEED, "", "succeeded", result.id)
                lifecycle.end_runs(session, Run.key == key, *ended)
        with platform.sessions.begin() as session:
            lifecycle.settle_if_over(session, campaign_id)
    return len(queued)


def look(platform: Platform) -> bool:
    """Of a housekeeper that has just begun: whether a subject went on."""
    return Searches().go_on(platform.sessions, platform.objects, platform.settings)


def until_over(platform: Platform, drops: Drops = missing) -> list[int]:
    """Runs of each round, of which the first was queued already."""
    rounds = []
    while some := carry_out(platform, drops):
        rounds.append(some)
        while look(platform):
            pass
    return rounds


def begin(platform: Platform, **changes: Any) -> str:
    """Submit the search above with some keys replaced; its id, with its first round queued."""
    made = submit(platform.client("submit"), {**CHANGES, **changes})
    expand_all(platform)
    return str(made["id"])


def got(platform: Platform, path: str, **params: Any) -> Any:
    """What a reader is told at a path below /campaigns."""
    return read(platform, f"/campaigns/{path}", **params)


def steer(platform: Platform, path: str, **asked: Any) -> Any:
    """The answer to a POST at a path below /campaigns."""
    answer = platform.client("submit").post(f"/api/v1/campaigns/{path}", json=asked or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def found(platform: Platform, campaign: str) -> list[str | None]:
    """The level of each subject, where it is found."""
    subjects = got(platform, f"{campaign}/search")["subjects"]
    return [each["level"] and each["level"]["text"] for each in subjects]
