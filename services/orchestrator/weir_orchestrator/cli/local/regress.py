"""`weir regress`: whether results became better or worse than a baseline's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from weir_engine import rows
from weir_engine.errors import BadInput
from weir_engine.store import Store

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    name_of_file,
    output,
    print_json,
    record_of,
)
from weir_orchestrator.cli.remote.connect import ServerOption, TeamOption
from weir_orchestrator.cli.remote.regressions import judged_there

if TYPE_CHECKING:
    from weir_engine.regression import Judgement
    from weir_engine.regression.effects import Effect

__all__ = ["regress"]

_SHOWN = 20


def regress(
    campaign: Annotated[str, typer.Argument(help="Campaign file, or its name in the store.")],
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="The baseline's campaign; by default of the same name."),
    ] = None,
    baseline_store: Annotated[
        Path | None,
        typer.Option("--baseline-store", help="Folder of the baseline's results, if another."),
    ] = None,
    effect: Annotated[
        list[str] | None,
        typer.Option(
            "--effect",
            metavar="METRIC=SIZE",
            help="From which difference on a metric matters: stall_mean_s=0.5, jain=3%. "
            "Repeatable.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", help="JUnit XML file to write, for a CI step.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Markdown summary to write.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Compare a campaign's results with a baseline's, run by run over common seeds.

    Every metric of every combination gets a verdict: same, no matter, better, worse, or
    cannot tell and how many replicates would. Exit code 1 where anything is worse. With --server:
    of two campaigns there.
    """
    from weir_engine.regression import effects, wording  # noqa: PLC0415 - heavy

    if baseline is None and (server or baseline_store is None):
        raise BadInput(
            "--baseline: none is given\n    Name another campaign of the store, or the store that "
            "has the baseline's results with --baseline-store."
        )
    for option, path in (("--junit", junit), ("--markdown", markdown)):
        if path is not None and not path.absolute().parent.is_dir():
            raise BadInput(f"{option}: {path} — there is no folder {path.absolute().parent}")
    matters = effects.parsed(effect or [])
    if server:
        name, judgement = judged_there(campaign, baseline or "", effect, server, team)
    else:
        name, judgement = _judged_here(campaign, baseline, baseline_store, store, matters)
    if junit is not None:
        junit.write_text(wording.junit(judgement, name), encoding="utf-8")
    if markdown is not None:
        markdown.write_text(wording.markdown(judgement, name), encoding="utf-8")
    if as_json:
        print_json(wording.as_json(judgement, matters))
    else:
        output.print(wording.summary(judgement), markup=False)
        told = [one for one in judgement.judged if one.verdict not in {"same", "no matter"}]
        for one in told[:_SHOWN]:
            output.print(f"  {wording.line(one)}", markup=False)
        if len(told) > _SHOWN:
            output.print(f"  and {len(told) - _SHOWN} more: --json or --markdown has all")
        for remark in judgement.remarks:
            output.print(f"  not compared: {remark}", markup=False)
    return exits.NOT_GOOD if judgement.worse else exits.OK


def _judged_here(
    campaign: str,
    baseline: str | None,
    baseline_store: Path | None,
    store: Path,
    matters: Mapping[str, Effect],
) -> tuple[str, Judgement]:
    """The campaign's name, and what is said of it."""
    from weir_engine.regression import judge, pair  # noqa: PLC0415 - heavy

    ours, theirs = Store(store), Store(baseline_store or store)
    record = record_of(campaign, ours, name_of_file)
    before = record_of(baseline or record["name"], theirs, name_of_file)
    pairs, remarks = pair(rows.read(theirs, before), rows.read(ours, record))
    return record["name"], judge(pairs, matters, remarks)
