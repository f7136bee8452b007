"""`weir baseline`: what a schedule's nights are compared with, at a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from weir_engine.errors import BadInput

from weir_orchestrator.cli.common import JsonOption, output, print_json
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
    find_schedule,
)

if TYPE_CHECKING:
    from weir_sdk.models import ScheduleDetail, ScheduleOut

__all__ = ["baseline"]

_WORDS: Final = ("last-good", "none")


def baseline(
    schedule: Annotated[str, typer.Argument(help="Schedule's name or id.")],
    which: Annotated[
        str | None,
        typer.Argument(help="last-good (the newest night that was not worse), or none."),
    ] = None,
    campaign: Annotated[
        str | None, typer.Option("--campaign", help="This campaign: its id, or its name.")
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--version",
            help="The newest night of this commit (7 digits are enough), of this tag, or of the "
            "version that `weir submit --subject` gave.",
        ),
    ] = None,
    subject: Annotated[
        str | None, typer.Option("--subject", help="Which file's version, where there are several.")
    ] = None,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a schedule's nights are compared with, or choose it for those to come."""
    given = [each for each in (which, campaign, version) if each is not None]
    if len(given) > 1:
        raise BadInput(
            f"WHICH, --campaign, --version: {', '.join(given)} — allowed: one of them; leave the"
            " others out"
        )
    if which is not None and which not in _WORDS:
        raise BadInput(
            f"WHICH: {which} — allowed: {', '.join(_WORDS)}\n"
            "    Give a campaign by --campaign, and a commit or release by --version."
        )
    if subject is not None and version is None:
        raise BadInput(f"--subject: {subject} — allowed: with --version only; give that, too")
    with connected(server, team) as to:
        found: ScheduleOut | ScheduleDetail = find_schedule(to, schedule)
        if given:
            chosen: Any = which or {"version": version, "subject": subject}
            if campaign is not None:
                chosen = str(find_campaign(to, campaign).id)
            found = to.client.change_schedule(found.id, baseline=chosen)
        if as_json:
            print_json({"schedule": str(found.id), "baseline": str(found.baseline)})
        else:
            output.print(f"{found.name}: {_told(to, found)}", markup=False)


def _told(to: Connection, schedule: ScheduleOut | ScheduleDetail) -> str:
    if isinstance(schedule.baseline, str):
        return schedule.baseline
    campaign = to.client.show_campaign(schedule.baseline)
    versions = ", ".join(f"{name} {version[:12]}" for name, version in campaign.subjects.items())
    return f"campaign {campaign.id} of {campaign.created_at:%Y-%m-%d}" + (
        f" ({versions})" if versions else ""
    )
