"""Every verb of the command, and every option of a type, told something that it cannot be."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import typer
from weir_orchestrator.cli import main
from weir_orchestrator.cli.app import app

WRONG = "no-such-value"


def leaves(command: Any, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each verb's words, and what it is."""
    within = getattr(command, "commands", None)
    if within is None:
        yield words, command
        return
    for name, each in within.items():
        yield from leaves(each, *words, name)


def is_any_text(kind: Any) -> bool:
    """Whether a parameter of that type takes whatever it is told."""
    if get_origin(kind) is Literal:
        return False
    if parts := get_args(kind):
        return all(is_any_text(part) for part in parts)
    return not issubclass(kind, int | float | Enum) or kind is bool


VERBS = dict(leaves(typer.main.get_command(app)))
OPTIONS = [
    (words, parameter.opts[0])
    for words, verb in VERBS.items()
    for parameter in verb.params
    if parameter.param_type_name == "option"
    and not is_any_text(get_type_hints(inspect.unwrap(verb.callback))[parameter.name])
]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What it says, in one line, about a command line that it must refuse."""
    assert main([*words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return " ".join(printed.err.split())


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_an_option_that_is_none(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, *words, "--no-such-option")
    assert "--no-such-option" in said
    assert said.endswith(f"see `weir {' '.join(words)} --help`")


@pytest.mark.parametrize(("words", "option"), OPTIONS, ids="".join)
def test_a_value_of_another_type(
    words: tuple[str, ...], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    needed = [p.name for p in VERBS[words].params if p.param_type_name == "argument" and p.required]
    said = refused(capsys, *words, *needed, option, WRONG)
    path, _, rest = said.partition(": ")
    value, _, allowed = rest.partition(" — ")
    assert option in path
    assert value == WRONG
    assert allowed.removesuffix(f"; see `weir {' '.join(words)} --help`") not in {"", allowed}


def test_the_walk_meets_every_kind() -> None:
    assert {("run",), ("up",), ("kernel", "build"), ("admin", "create")} <= VERBS.keys()
    assert (("run",), "--jobs") in OPTIONS
