"""`weir submit`: have a server carry a campaign out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine.errors import BadInput

from weir_orchestrator.cli.common import (
    JsonOption,
    ReplicatesOption,
    SeedOption,
    SetOption,
    notes,
    output,
    print_json,
)
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_schedule,
)
from weir_orchestrator.cli.remote.subjects import SubjectOption, subjects
from weir_orchestrator.cli.remote.watch import exit_code, follow, say_end

if TYPE_CHECKING:
    from weir_sdk.models import CampaignOut

__all__ = ["submit", "submitted"]


def submit(
    campaign: Annotated[
        Path | None, typer.Argument(help="Campaign file (YAML or JSON); else --schedule.")
    ] = None,
    sets: SetOption = None,
    replicates: ReplicatesOption = None,
    seed: SeedOption = None,
    schedule: Annotated[
        str | None,
        typer.Option("--schedule", help="A night of this schedule (name or id), now."),
    ] = None,
    subject: SubjectOption = None,
    priority: Annotated[
        int, typer.Option("--priority", min=-100, max=100, help="Higher goes first in the team.")
    ] = 0,
    files: Annotated[
        list[Path] | None,
        typer.Option("--file", help="One more file, as a congestion control in C. Repeatable."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", "-w", help="Stay until it has ended.")] = False,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Submit a campaign, with all files that it names: traces, sizes, ABRs, bases.

    With --schedule: what that schedule submits, with these --subject. With --watch: Ctrl-C ends
    the watching only; exit codes are those of `weir run`.
    """
    with connected(server, team) as to:
        if schedule is not None:
            others: dict[str, object]
            others = {"CAMPAIGN": campaign, "--set": sets, "--replicates": replicates}
            others |= {"--seed": seed, "--priority": priority or None, "--file": files}
            _alone(others)
            made = _of_schedule(to, schedule, subject)
        elif campaign is not None:
            made = submitted(to, campaign, sets, replicates, seed, priority, files, subject)
        else:
            raise BadInput("CAMPAIGN: missing — give a campaign file, or --schedule NAME")
        if watch:
            made = follow(to, made)
            say_end(made, as_json)
            return exit_code(made)
    if as_json:
        print_json(made.model_dump(mode="json"))
    else:
        output.print(str(made.id), markup=False)
        notes.print(f"`weir watch {made.id}` shows how far it is", markup=False)
    return 0


def submitted(
    to: Connection,
    campaign: Path,
    sets: list[str] | None,
    replicates: int | None,
    seed: int | None,
    priority: int = 0,
    files: list[Path] | None = None,
    subject: list[str] | None = None,
) -> CampaignOut:
    """The campaign of a file at a server, with all files that it names. Raises SpecError."""
    from weir.spec.overriding import parse_override  # noqa: PLC0415 - slow to import
    from weir_engine.self_contained import self_contained  # noqa: PLC0415

    given = dict(parse_override(text) for text in sets or [])
    document, overrides, named = self_contained(campaign, given)
    named |= {path.name: path for path in files or []}
    tested = subjects(subject or [], named)
    contents = {name: _content(path) for name, path in named.items()}
    contents |= {each.name: each.content for each in tested}
    made = to.client.submit_with_files(
        to.team,
        document,
        contents,
        subjects={each.name: each.version for each in tested},
        overrides=overrides,
        replicates=replicates,
        seed=seed,
        priority=priority,
    )
    sent = f", {len(contents)} files sent" if contents else ""
    runs = f"{made.run_count} runs" + (", the first of a search," if made.has_search else "")
    notes.print(
        f"{made.name}: {runs} submitted to {to.url}, team {to.team}{sent}",
        markup=False,
    )
    return made


def _of_schedule(to: Connection, asked: str, subject: list[str] | None) -> CampaignOut:
    found = find_schedule(to, asked)
    names = to.client.show_schedule(found.id).campaign.files or {}
    tested = subjects(subject or [], names)
    tick = to.client.run_schedule_with_files(
        found.id,
        to.team,
        {each.name: each.content for each in tested},
        {each.name: each.version for each in tested},
    )
    assert tick.campaign is not None
    made = to.client.show_campaign(tick.campaign)
    notes.print(f"{made.name}: a night of {found.name}, {made.run_count} runs", markup=False)
    return made


def _alone(others: dict[str, object]) -> None:
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise BadInput(
            f"{given[0]}: not with --schedule — it submits what the schedule has; "
            "change that on its page, or leave --schedule out"
        )


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
