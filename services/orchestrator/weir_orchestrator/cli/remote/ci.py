"""`weir ci`: a step of a pipeline: submit, wait, judge against a baseline, say so in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine import jsonfile
from weir_engine.errors import BadInput

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import ReplicatesOption, SeedOption, SetOption, errors, output
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
)
from weir_orchestrator.cli.remote.regressions import judged
from weir_orchestrator.cli.remote.subjects import SubjectOption
from weir_orchestrator.cli.remote.submit import submitted
from weir_orchestrator.cli.remote.watch import counted, exit_code, follow

if TYPE_CHECKING:
    from weir_sdk.models import CampaignOut

__all__ = ["ci"]


def ci(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (YAML or JSON).")],
    baseline: Annotated[
        str, typer.Option("--baseline", help="Campaign at the server: its id, or its name.")
    ],
    sets: SetOption = None,
    replicates: ReplicatesOption = None,
    seed: SeedOption = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(
            "--effect", metavar="METRIC=SIZE", help="As `weir regress` has it. Repeatable."
        ),
    ] = None,
    subject: SubjectOption = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Summary to add to, as GitHub's step has one.")
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", help="JUnit XML file to write.")] = None,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    server: ServerOption = None,
    team: TeamOption = None,
) -> int:
    """Submit a campaign, wait for its end, and judge it against another one at the server.

    Exit code 1 where anything is worse or runs did not succeed.
    """
    from weir_engine.regression import effects, wording  # noqa: PLC0415 - heavy

    for option, path in (("--markdown", markdown), ("--junit", junit), ("--json", json)):
        if path is not None and not path.absolute().parent.is_dir():
            raise BadInput(f"{option}: {path} — there is no folder {path.absolute().parent}")
    matters = effects.parsed(effect or [])
    with connected(server, team) as to:
        # By its name before the new one has it, too.
        before = find_campaign(to, baseline)
        made = follow(to, submitted(to, campaign, sets, replicates, seed, subject=subject))
        code = exit_code(made)
        if not made.counts.get("succeeded"):
            errors(f"{made.name}: {made.state}, {counted(made.counts)}: nothing to judge")
            return code
        judgement = judged(to, made, before, effect)
        links = _links(to, made, before)
    summary = wording.markdown(judgement, made.name)
    if markdown is not None:
        with markdown.open("a", encoding="utf-8") as file:
            file.write(f"{summary}\n{links}\n")
    if junit is not None:
        junit.write_text(wording.junit(judgement, made.name), encoding="utf-8")
    if json is not None:
        said = {"campaign": str(made.id), "baseline": str(before.id), "state": made.state}
        jsonfile.write(json, said | wording.as_json(judgement, matters))
    output.print(f"{made.name}: {made.state}, {counted(made.counts)}", markup=False)
    output.print(wording.summary(judgement), markup=False)
    for one in judgement.worse[:3]:
        output.print(f"  {wording.line(one)}", markup=False)
    output.print(f"  {to.url}{_compare(to, made, before)}", markup=False)
    return exits.NOT_GOOD if judgement.worse else code


def _links(to: Connection, made: CampaignOut, before: CampaignOut) -> str:
    places = {
        "this campaign": f"/teams/{to.team}/campaigns/{made.id}",
        "the baseline": f"/teams/{to.team}/campaigns/{before.id}",
        "both, run by run": _compare(to, made, before),
    }
    return " · ".join(f"[{name}]({to.url}{place})" for name, place in places.items())


def _compare(to: Connection, made: CampaignOut, before: CampaignOut) -> str:
    return f"/teams/{to.team}/compare?a={before.id}&b={made.id}"
