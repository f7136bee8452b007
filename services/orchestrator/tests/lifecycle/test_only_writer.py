"""Nothing but weir_orchestrator.lifecycle writes the state of a campaign or of a run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import weir_orchestrator

_SOURCE: Final = Path(weir_orchestrator.__file__).parent
_NOUNS: Final = {"Run", "Campaign"}
_STATES_OF_OTHERS: Final = {"delivery.state", "self._delivery.state", "mail.state"}
"""A webhook's delivery and a message have states of their own."""


def _writes(tree: ast.Module) -> Iterator[str]:
    """What in a file writes, or may write, the state of a run or a campaign."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for each in (leaf for target in targets for leaf in ast.walk(target)):
                if isinstance(each, ast.Attribute) and each.attr == "state":
                    stored = isinstance(each.ctx, ast.Store)
                    if stored and ast.unparse(each) not in _STATES_OF_OTHERS:
                        yield ast.unparse(node)
        elif isinstance(node, ast.Call):
            yield from _called(node)


def _called(node: ast.Call) -> Iterator[str]:
    keywords = {keyword.arg for keyword in node.keywords}
    name = ast.unparse(node.func)
    if name in {"insert", "insert_new", "insert_columns", "insert_new_columns"}:
        if any(isinstance(each, ast.Name) and each.id == "Run" for each in node.args):
            yield ast.unparse(node)
    elif name == "ColumnsUpdate":
        if "'state'" in ast.unparse(node):
            yield ast.unparse(node)
    elif (name in _NOUNS and keywords & {"state", None}) or (
        name == "setattr" and "'state'" in ast.unparse(node)
    ):
        yield ast.unparse(node)
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "values":
        updated = {
            ast.unparse(call.args[0])
            for call in ast.walk(node.func)
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "update"
        }
        if updated & _NOUNS and (keywords & {"state", None} or node.args):
            yield ast.unparse(node)


def test_no_other_file_writes_a_state() -> None:
    others = (path for path in _SOURCE.rglob("*.py") if path.parent.name != "lifecycle")
    found = {
        str(path.relative_to(_SOURCE)): each
        for path in others
        for each in _writes(ast.parse(path.read_text()))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "campaign.state = 'paused'",
        "run.state, run.reason = 'failed', ''",
        "session.execute(update(Run).where(Run.id == 1).values(state='queued'))",
        "session.execute(update(Campaign).values({'state': 'active'}))",
        "update(Run).where(this).values(**what)",
        "session.execute(insert(Run), rows)",
        "ColumnsUpdate(Run, 'id', ('state', 'reason'), {})",
        "Campaign(name='x', state='active')",
        "setattr(run, 'state', 'failed')",
    ],
)
def test_the_search_finds_every_way_to_write_one(source: str) -> None:
    assert list(_writes(ast.parse(source)))


def test_the_lifecycle_itself_is_found_writing() -> None:
    files = (_SOURCE / "lifecycle").glob("*.py")
    writers = {path.stem for path in files if list(_writes(ast.parse(path.read_text())))}
    assert writers == {"campaigns", "ending", "runs"}
