"""`weir bench`: the measurements of the repository's bench/ folder."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from typing import Annotated

import typer
from weir_engine.errors import BadInput, CannotRun

from weir_orchestrator.cli.common import JsonOption, output, print_json

__all__ = ["bench"]


def bench(
    name: Annotated[
        str | None, typer.Argument(help="Which one; without it they are listed.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Run a benchmark, or list them."""
    files = _files()
    if name is None:
        about = {stem: _about(path) for stem, path in files.items()}
        if as_json:
            print_json(about)
        else:
            for stem, line in about.items():
                output.print(f"{stem:<14} {line}", markup=False)
        return 0
    if name not in files:
        raise BadInput(f"NAME: {name} — allowed: {', '.join(files) or 'none found'}")
    spec = importlib.util.spec_from_file_location(f"weir_bench_{name}", files[name])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return int(module.main(json=as_json) or 0)


def _files() -> dict[str, Path]:
    checkout = Path(__file__).resolve().parents[5]
    for folder in (checkout / "bench", Path("bench")):
        if folder.is_dir():
            found = {path.stem: path for path in sorted(folder.glob("*.py"))}
            return {stem: path for stem, path in found.items() if not stem.startswith("_")}
    raise CannotRun(
        "no bench/ folder: benchmarks come with the repository, not with an installed package. "
        "Run `weir bench` in a clone of it."
    )


def _about(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]
