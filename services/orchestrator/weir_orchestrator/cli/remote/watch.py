"""`weir watch`: stay with a campaign until it has ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, Progress, TextColumn
from weir_engine.states import BAD, STATES, TROUBLES

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import JsonOption, errors, notes, output, print_json
from weir_orchestrator.cli.local.progress import clock
from weir_orchestrator.cli.remote.connect import (
    Connection,
    ServerOption,
    TeamOption,
    connected,
    find_campaign,
)

if TYPE_CHECKING:
    from weir_sdk import models

__all__ = ["counted", "exit_code", "follow", "say_end", "watch"]

_ASK_EVERY_S: Final = 0.5
_PLAIN_EVERY_S: Final = 5.0
_TOLD_AT_MOST: Final = 10


def watch(
    campaign: Annotated[str, typer.Argument(help="Campaign's id, its beginning, or name.")],
    server: ServerOption = None,
    team: TeamOption = None,
    as_json: JsonOption = False,
) -> int:
    """Show how far a campaign is until it has ended; Ctrl-C ends the watching only.

    Exit codes are those of `weir run`.
    """
    with connected(server, team) as to:
        ended = follow(to, find_campaign(to, campaign))
        say_end(ended, as_json)
        return exit_code(ended)


def follow(to: Connection, campaign: models.CampaignOut) -> models.CampaignOut:
    """The campaign when it has ended. Raises KeyboardInterrupt, after saying how to come back."""
    from weir_sdk import ENDED  # noqa: PLC0415 - slow to import

    try:
        with Bar(campaign.name) as bar:
            told = to.client.watch_campaign(campaign.id, kinds=["campaign.state", "run.ended"])
            for event in told:
                bar.tell(event.kind, event.data)
                news = event.kind != "run.ended"
                if not news and not bar.is_old:
                    continue
                progress = to.client.show_campaign_progress(campaign.id)
                bar.show(progress)
                if progress.state in ENDED:
                    break
    except KeyboardInterrupt:
        errors(
            f"no longer watching: {campaign.name} goes on at {to.url}\n"
            f"    `weir watch {campaign.id}` comes back to it; "
            f"`weir fetch {campaign.id}` brings its results."
        )
        raise
    return to.client.show_campaign(campaign.id)


def say_end(campaign: models.CampaignOut, as_json: bool) -> None:
    """How it ended."""
    if as_json:
        print_json(campaign.model_dump(mode="json"))
        return
    output.print(f"{campaign.name}: {campaign.state}, {counted(campaign.counts)}", markup=False)
    for problem in campaign.problems:
        errors(
            f"{problem.path}: {problem.value} — allowed: {problem.allowed}\n    {problem.remedy}"
        )


def counted(counts: dict[str, int]) -> str:
    """`11 succeeded, 1 failed`."""
    return ", ".join(f"{counts[s]} {s}" for s in STATES if counts.get(s)) or "no runs"


def exit_code(campaign: models.CampaignOut) -> int:
    """As `weir run` would end."""
    if campaign.state == "refused":
        return exits.BAD_INPUT
    good = campaign.counts.get("succeeded", 0) == campaign.run_count
    return exits.OK if good else exits.NOT_GOOD


class Bar:
    """A live line on a terminal, plain lines elsewhere; failures are told at once."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bad = 0
        self._asked = self._told = -_PLAIN_EVERY_S
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(bar_width=24), console=notes
        )
        self._task = self._progress.add_task(name, total=None)

    def __enter__(self) -> Bar:
        if notes.is_terminal:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    @property
    def is_old(self) -> bool:
        """Whether what is shown should be asked for again."""
        return time.monotonic() - self._asked > _ASK_EVERY_S

    def tell(self, kind: str, data: dict[str, object]) -> None:
        """Take note of an event."""
        if kind != "run.ended" or data["state"] not in TROUBLES:
            return
        self._bad += 1
        if self._bad <= _TOLD_AT_MOST:
            notes.print(f"{data['state']}: run {data['run_id']}: {data['reason']}", markup=False)
        elif self._bad == _TOLD_AT_MOST + 1:
            notes.print("further ones are not told here: see `weir status --server ...`")

    def show(self, progress: models.Progress) -> None:
        """How far it is now."""
        self._asked = time.monotonic()
        line = self.line(progress)
        self._progress.update(
            self._task, total=progress.run_count, completed=progress.ended, description=line
        )
        if not notes.is_terminal and self._asked - self._told >= _PLAIN_EVERY_S:
            self._told = self._asked
            notes.print(line, markup=False)

    def line(self, progress: models.Progress) -> str:
        """`quickstart: 12/18 runs · 2.1 runs/s · 3.0 s left · 1 failed`."""
        parts = [f"{self._name}: {progress.ended}/{progress.run_count} runs"]
        if search := progress.search:
            parts.append(f"{search.ended}/{search.subjects} searches told")
            parts.append(f"{search.levels_tried} levels tried")
        if progress.state != "active":
            parts.append(progress.state)
        if build := progress.kernel_build:
            done = f", {100 * build.done // build.total} %" if build.total else ""
            parts.append(f"building kernel {build.number} of {build.of}{done}")
        if progress.runs_per_s:
            parts.append(f"{progress.runs_per_s:.3g} runs/s")
        if progress.eta_s:
            parts.append(f"{clock(progress.eta_s)} left")
        parts += [f"{progress.counts[s]} {s}" for s in BAD if progress.counts.get(s)]
        return " · ".join(parts)
