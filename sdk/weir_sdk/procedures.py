"""What takes several requests, as procedures that either client carries out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from weir_sdk.call import Pause, Procedure, Save
from weir_sdk.calls import campaigns, files, runs, schedules
from weir_sdk.models import CampaignOut, TickOut

__all__ = [
    "ENDED",
    "WaitedTooLong",
    "download_run",
    "run_schedule_with_files",
    "submit_with_files",
    "wait_for_campaign",
]

ENDED: Final = frozenset({"finished", "cancelled", "refused"})
"""States after which nothing happens in a campaign by itself."""
_FIRST_PAUSE_S: Final = 0.25
_LONGEST_PAUSE_S: Final = 5.0
_LAST: Final = "run.json"


class WaitedTooLong(TimeoutError):
    """The campaign goes on; `campaign` is how it was last seen."""

    def __init__(self, campaign: CampaignOut) -> None:
        super().__init__(f"campaign {campaign.id} is still {campaign.state}; it goes on")
        self.campaign = campaign


def submit_with_files(
    team: str,
    document: str,
    contents: Mapping[str, bytes],
    idempotency_key: str | None = None,
    **more: Any,
) -> Procedure[CampaignOut]:
    """Upload files (name in the document -> content), then submit; more: as for `campaign`."""
    names = yield from _uploaded(team, contents)
    asked = campaigns.campaign(document, names, **more)
    made: CampaignOut = yield campaigns.submit_campaign(team, asked, idempotency_key)
    return made


def run_schedule_with_files(
    schedule: UUID | str, team: str, contents: Mapping[str, bytes], subjects: Mapping[str, str]
) -> Procedure[TickOut]:
    """Upload files (name in the schedule's campaign -> content), then submit that with them.

    subjects: name of a file -> its version, as a commit.
    """
    names = yield from _uploaded(team, contents)
    tick: TickOut = yield schedules.run_schedule(schedule, names, subjects)
    return tick


def _uploaded(team: str, contents: Mapping[str, bytes]) -> Procedure[dict[str, str]]:
    names = {}
    for name, content in contents.items():
        names[name] = (yield files.upload_file(team, content)).sha256
    return names


def wait_for_campaign(
    campaign: UUID | str, timeout_s: float | None = None
) -> Procedure[CampaignOut]:
    """The campaign when it has ended; asks at most every 5 s. Raises WaitedTooLong."""
    until = None if timeout_s is None else time.monotonic() + timeout_s
    pause_s = _FIRST_PAUSE_S
    while True:
        found: CampaignOut = yield campaigns.show_campaign(campaign)
        if found.state in ENDED:
            return found
        if until is not None and time.monotonic() + pause_s > until:
            raise WaitedTooLong(found)
        yield Pause(pause_s)
        pause_s = min(pause_s * 1.5, _LONGEST_PAUSE_S)


def download_run(run: int, folder: Path | str) -> Procedure[Path]:
    """An ended run's directory into `folder`; files that are there whole are kept.

    run.json comes last: a folder that has it is complete.
    """
    target = Path(folder)
    for artifact in sorted((yield runs.list_artifacts(run)), key=lambda each: each.name == _LAST):
        path = target / artifact.name
        if not path.resolve().is_relative_to(target.resolve()):
            raise ValueError(f"the server names a file outside of the run: {artifact.name}")
        if not path.is_file() or path.stat().st_size != artifact.size_bytes:
            yield Save(runs.fetch_artifact(run, artifact.name), path)
    return target
