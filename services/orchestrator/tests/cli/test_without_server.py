"""Subcommands on an installation without the extra `server`: those that need it say so, the others
neither need nor import anything of it. Each runs in an interpreter of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
import yaml
from weir_testing.platform.campaigns import SPEC

SERVER: Final = [
    "alembic",
    "fastapi",
    "lightkube",
    "obstore",
    "psycopg",
    "pydantic_settings",
    "sqlalchemy",
    "starlette",
    "uvicorn",
]
# Which modules of the server were imported is told in a file, after all else.
_PROGRAM: Final = """
import json, runpy, sys

class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

given = json.loads(sys.argv.pop(1))
blocked = given["blocked"]
sys.meta_path.insert(0, Without())
code = 0
try:
    if sys.argv[1] in ("run", "replay"):
        runpy.run_module("weir_testing.stand_in.command", run_name="__main__")
    else:
        from weir_orchestrator.cli import main

        code = main()
except SystemExit as end:
    code = end.code
parts = {".".join(name.split(".")[:2]) for name in sys.modules}
server = {f"weir_orchestrator.{name}" for name in ("api", "db", "objects", "settings", "work")}
with open(given["told"], "w") as file:
    json.dump(sorted(parts & (server | set(given["server"]))), file)
sys.exit(code)
"""


@dataclass(frozen=True)
class Ended:
    """imported: of the server's modules. said: standard output and error."""

    code: int
    said: str
    imported: list[str]


class Command:
    """`weir` in a folder of its own; a stand-in cell carries its runs out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, *words: str, blocked: bool = True) -> Ended:
        told = self._folder / "imported.json"
        given = {"server": SERVER, "blocked": SERVER if blocked else [], "told": str(told)}
        ended = subprocess.run(
            [sys.executable, "-c", _PROGRAM, json.dumps(given), *words],
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout + ended.stderr, json.loads(told.read_text()))


@pytest.fixture(scope="module")
def weir(tmp_path_factory: pytest.TempPathFactory) -> Command:
    folder = tmp_path_factory.mktemp("base")
    (folder / "small.yaml").write_text(yaml.safe_dump({**SPEC, "replicates": 1}))
    return Command(folder)


@pytest.fixture(scope="module")
def key(weir: Command) -> str:
    """Of a run of small.yaml in the store `results`."""
    ended = weir("run", "small.yaml", "--store", "results")
    assert (ended.code, ended.imported) == (0, []), ended.said
    runs = json.loads(weir("status", "small.yaml", "--store", "results", "--json").said)["runs"]
    return str(runs[0]["key"])


@pytest.mark.parametrize(
    "words",
    [
        "validate small.yaml",
        "status small.yaml --store results",
        "report small.yaml --store results --html report.html",
        "show KEY --store results",
        "replay KEY --store results",
        "export small.yaml --store results --out out.csv",
        "schema",
        "kernel list",
        "doctor --store results",
        "bench",
        "--version",
    ],
)
def test_what_runs_here_imports_nothing_of_the_server(weir: Command, key: str, words: str) -> None:
    ended = weir(*words.replace("KEY", key).split(), blocked=False)
    # What this machine lacks for real runs is no matter here.
    allowed = {0, 1, 3} if words.startswith(("doctor", "kernel")) else {0}
    assert ended.code in allowed, ended.said
    assert "Traceback" not in ended.said
    assert ended.imported == []


@pytest.mark.parametrize("words", ["submit small.yaml", "watch small", "ls", "fetch small"])
def test_what_asks_a_server_needs_nothing_of_one(weir: Command, words: str) -> None:
    ended = weir(*words.split(), "--server", "http://127.0.0.1:9")
    assert "127.0.0.1:9" in ended.said
    assert (ended.code, ended.imported) == (3, []), ended.said


@pytest.mark.parametrize(
    "words",
    [
        "up",
        "worker",
        "dispatch",
        "db upgrade",
        "db downgrade base",
        "db check",
        "admin create a@example.org",
        "admin password a@example.org",
    ],
)
def test_what_runs_a_server_says_how_to_install_it(weir: Command, words: str) -> None:
    ended = weir(*words.split())
    assert ended.code == 3, ended.said
    assert "pip install 'weir[server]'" in ended.said.replace("\n", " ")
    assert "Traceback" not in ended.said
