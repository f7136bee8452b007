"""What subcommands share: options, output, loading a campaign."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from weir.errors import SpecError
from weir_engine.errors import CannotRun
from weir_engine.levels import short, text
from weir_engine.store import Store

if TYPE_CHECKING:
    from weir.resolved import Experiment
    from weir.spec.campaign import Campaign
    from weir_engine.campaign_record import CampaignRecord

__all__ = [
    "DEFAULT_STORE",
    "JsonOption",
    "ReplicatesOption",
    "SeedOption",
    "SetOption",
    "StdinOption",
    "StoreOption",
    "built_kernel",
    "default_jobs",
    "errors",
    "find_kernel",
    "level_text",
    "load",
    "name_of_file",
    "notes",
    "output",
    "print_json",
    "read_password",
    "record_of",
    "refuse_unknown_controls",
    "searched_text",
]

StoreOption = Annotated[
    Path,
    typer.Option("--store", envvar="WEIR_STORE", help="Folder of results.", show_default=True),
]
DEFAULT_STORE = Path("weir-store")
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Set one field of the experiment or campaign, e.g. duration=60s. Repeatable.",
    ),
]
ReplicatesOption = Annotated[
    int | None, typer.Option("--replicates", help="Runs per combination, instead of the file's.")
]
StdinOption = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed, instead of the file's.")]

output = Console(highlight=False, soft_wrap=True)
if not output.is_terminal:
    output.width = 132
"""Results."""
notes = Console(stderr=True, highlight=False, soft_wrap=True)
"""Progress, questions, remarks."""


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def errors(message: str) -> None:
    """A message for a person on standard error, without markup."""
    notes.print(message, style="red", markup=False)


def load(
    path: Path,
    sets: list[str] | None = None,
    replicates: int | None = None,
    seed: int | None = None,
) -> Campaign:
    """The campaign of a file. Raises SpecError."""
    from weir.spec.load import load_campaign  # noqa: PLC0415 - slow to import
    from weir.spec.overriding import parse_override  # noqa: PLC0415 - slow to import

    overrides = dict(parse_override(text) for text in sets or [])
    return load_campaign(path, overrides, replicates=replicates, seed=seed)


def read_password(from_stdin: bool, *, new: bool) -> str:
    """A password as typed; a new one is asked for twice."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=new, err=True)
    return typed


def record_of(asked: str, store: Store, load_name: Callable[[Path], str]) -> CampaignRecord:
    """The store's record of a campaign given by its file or its name."""
    path = Path(asked)
    return store.read_campaign(load_name(path) if path.is_file() else asked)


def name_of_file(path: Path) -> str:
    """A campaign's name, from its file."""
    name: str = load(path).name
    return name


def built_kernel() -> Any:
    """The lab kernel that is built; None where there is none."""
    from weir_lab import kernel  # noqa: PLC0415

    return kernel.find()


def find_kernel() -> Any:
    """The lab kernel that is built. Raises CannotRun where there is none."""
    from weir_lab import kernel  # noqa: PLC0415

    found = kernel.find()
    if found is None:
        if wrong := kernel.damaged():
            raise CannotRun("\n".join(wrong))
        raise CannotRun(
            "no lab kernel is built yet: `weir kernel build` builds it (about 4 minutes), "
            "`weir doctor` says what that needs."
        )
    return found


def refuse_unknown_controls(asked: Iterable[tuple[Experiment, Any]]) -> None:
    """Raises SpecError where an experiment names congestion controls that its lab kernel lacks."""
    from weir.spec.control_options import unknown  # noqa: PLC0415 - slow to import

    problems = dict.fromkeys(
        problem
        for experiment, kernel in asked
        for problem in unknown(experiment, kernel.congestion_controls)
    )
    if problems:
        raise SpecError([*problems])


def default_jobs() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0))


def searched_text(
    levels: Mapping[str, Any],
    replicate: int | None,
    what: str,
    found: object,
    beyond: Sequence[object],
) -> str:
    """What one subject of a search came to, on one line.

    replicate: None where all had to pass. what: `smallest gateway.downlink.rate`. found: the
    level, or in words why there is none. beyond: levels that fail all the same.
    """
    which = "" if replicate is None else f"replicate {replicate + 1} "
    fail = f"; beyond it {', '.join(map(str, beyond))} fail" if beyond else ""
    return f"{level_text(levels)} {which}{what} that passes: {found}{fail}".strip()


def level_text(levels: Mapping[str, Any]) -> str:
    """Levels on one line: `shaping method none, congestion control reno`."""
    return ", ".join(f"{short(path)} {text(level)}" for path, level in levels.items())
