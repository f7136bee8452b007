"""A player that is a folder with a package.json: what is taken, and what is refused and why."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from weir.expand import Expansion
from weir.resolved import Experiment
from weir.runkey import run_key
from weir.spec.folders import MOST_BYTES, MOST_ENTRIES
from weir.spec.load import parse_campaign
from weir_testing.spec import document, problems_of

PLAYER = "./mine/"
FIELD = "experiment.clients.0.player"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A sound player in its folder; beside it nothing."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"name": "mine", "main": "./main.cjs"}))
    (folder / "main.cjs").write_text("require('./lib/level.js');\n")
    (folder / "lib").mkdir()
    (folder / "lib/level.js").write_text("module.exports = 0;\n")
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return folder


def asking(**client: Any) -> dict[str, Any]:
    return document(clients=[{"player": PLAYER, **client}])


def resolved(folder: Path, **client: Any) -> Experiment:
    campaign = parse_campaign(asking(**client), folder.parent)
    return next(Expansion(campaign).runs()).experiment


def manifest(folder: Path, **changed: Any) -> None:
    content = {"name": "mine", "main": "./main.cjs", **changed}
    (folder / "package.json").write_text(json.dumps(content))


def module(folder: Path, **changed: Any) -> None:
    """A package in node_modules."""
    inner = folder / "node_modules/@some/parser"
    inner.mkdir(parents=True)
    (inner / "package.json").write_text(json.dumps({"name": "parser", **changed}))


def test_its_text_and_what_is_started_are_part_of_the_experiment(mine: Path) -> None:
    client = resolved(mine, options={"abr": {"window": 3}})["clients"][0]
    assert (client["player"], client["source"]) == ("mine/", None)
    assert client["options"] == {"abr": {"window": 3}}
    package = client["package"]
    assert package["main"] == "main.cjs"
    assert list(package["files"]) == ["lib/level.js", "main.cjs", "package.json"]
    assert package["files"]["lib/level.js"] == "module.exports = 0;\n"


def test_each_of_its_files_is_part_of_the_run_key(mine: Path) -> None:
    def key() -> str:
        return run_key(resolved(mine), 1, "kernel", "roles-node")

    first = key()
    assert key() == first
    (mine / "lib/level.js").write_text("module.exports = 1;\n")
    assert key() != first
    assert run_key(resolved(mine), 1, "kernel", "roles-other") != key()


def test_locked_modules_are_taken(mine: Path) -> None:
    manifest(mine, dependencies={"@some/parser": "^1.0.0"}, weir={"browser": True})
    module(mine, version="1.2.0", scripts={"test": "true"})
    lock = {"packages": {"": {}, "node_modules/@some/parser": {"version": "1.2.0"}}}
    (mine / "package-lock.json").write_text(json.dumps(lock))
    package = resolved(mine)["clients"][0]["package"]
    assert "node_modules/@some/parser/package.json" in package["files"]
    assert package["browser"] is True


def _no_folder(folder: Path) -> None:
    folder.rename(folder.with_name("other"))


def _link(folder: Path) -> None:
    (folder / "lib/secret.js").symlink_to("/etc/passwd")


def _linked_folder(folder: Path) -> None:
    (folder / "node_modules").symlink_to(folder.parent)


def _install(folder: Path) -> None:
    manifest(folder, scripts={"postinstall": "node build.js", "build": "make"})


def _install_of_a_module(folder: Path) -> None:
    module(folder, scripts={"install": "node-gyp rebuild"})
    (folder / "package-lock.json").write_text("{}")


def _stale(folder: Path) -> None:
    module(folder, version="1.3.0")
    lock = {"packages": {"node_modules/@some/parser": {"version": "1.2.0"}}}
    (folder / "package-lock.json").write_text(json.dumps(lock))


def _many(folder: Path) -> None:
    for number in range(MOST_ENTRIES):
        (folder / f"{number}.js").write_text("")


BAD: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no folder": (_no_folder, "./mine/", "there is no such folder"),
    "no package.json": (
        lambda mine: (mine / "package.json").unlink(),
        "./mine/package.json: not there",
        "write it in the folder",
    ),
    "no JSON": (
        lambda mine: (mine / "package.json").write_text("{'main'"),
        "./mine/package.json",
        "it is none: Expecting property name",
    ),
    "no object": (lambda mine: (mine / "package.json").write_text("[]"), "package.json", "write"),
    "no main": (lambda mine: manifest(mine, main=None), "package.json: main", "Node.js is to"),
    "a main that is not there": (
        lambda mine: manifest(mine, main="dist/x.js"), "main: 'dist/x.js'", "a file of the folder",
    ),
    "a main outside": (
        lambda mine: manifest(mine, main="../main.cjs"), "main: '../main.cjs'", "of the folder",
    ),
    "a main that is no script": (
        lambda mine: manifest(mine, main="package.json"), "main: 'package.json'", ".cjs, .mjs",
    ),
    "an install script": (_install, "./mine/package.json: scripts.postinstall", "nothing is inst"),
    "an install script of a module": (
        _install_of_a_module,
        "./mine/node_modules/@some/parser/package.json: scripts.install",
        "build the player before",
    ),
    "native code to be built": (
        lambda mine: (mine / "binding.gyp").write_text("{}"), "./mine/binding.gyp", "install scr",
    ),
    "no lock file": (
        lambda mine: manifest(mine, dependencies={"mp4": "1"}),
        "./mine/: no lock file beside mp4",
        "package-lock.json",
    ),
    "modules without a lock file": (module, "no lock file beside node_modules", "copy that"),
    "another version than the lock file's": (
        _stale, "./mine/node_modules/@some/parser: 1.3.0", "1.2.0, as package-lock.json has it",
    ),
    "a link": (_link, "./mine/lib/secret.js: a link", "put what it leads to in its place"),
    "a link to a folder": (_linked_folder, "./mine/node_modules: a link", "regular files"),
    "a pipe": (lambda mine: os.mkfifo(mine / "x.js"), "./mine/x.js: no regular file", "leave it"),
    "bytes": (
        lambda mine: (mine / "a.wasm").write_bytes(b"\0asm\xff"), "./mine/a.wasm", "bundle it",
    ),
    "NUL": (lambda mine: (mine / "a.js").write_text("\0"), "./mine/a.js", "NUL"),
    "too large": (
        lambda mine: (mine / "a.js").write_text("a" * MOST_BYTES), "bytes", "minify the player",
    ),
    "too many": (_many, "./mine/", f"at most {MOST_ENTRIES} files and folders"),
    "another use of weir": (
        lambda mine: manifest(mine, weir={"broser": True}), "package.json: weir", "browser",
    ),
    "no switch": (
        lambda mine: manifest(mine, weir={"browser": "yes"}), "weir.browser: 'yes'", "true or fal",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_taken_names_the_file_and_the_way_out(what: str, mine: Path) -> None:
    spoil, value, hint = BAD[what]
    spoil(mine)
    found = problems_of(asking(), mine.parent)
    assert [problem.path for problem in found] == [FIELD]
    assert value in str(found[0].value)
    assert hint in str(found[0])


def test_all_that_is_wrong_is_told_at_once(mine: Path) -> None:
    manifest(mine, main=3, dependencies={"mp4": "1"}, scripts={"preinstall": "x", "install": "y"})
    assert len(problems_of(asking(), mine.parent)) == 4


def test_a_folder_without_a_slash_is_told_how_to_be_written(mine: Path) -> None:
    (problem,) = problems_of(document(clients=[{"player": "./mine"}]), mine.parent)
    assert "write ./mine/" in problem.remedy


def test_of_a_campaign_from_elsewhere_no_folder_outside_is_read(mine: Path) -> None:
    inner = mine.parent / "campaign"
    inner.mkdir()
    (inner / "mine").symlink_to(mine)
    for player in ("../mine/", PLAYER):
        raw = document(clients=[{"player": player}])
        with pytest.raises(Exception, match="a folder of the campaign") as refused:
            next(Expansion(parse_campaign(raw, inner, confined=True)).runs())
        assert player in str(refused.value)


@pytest.mark.parametrize(
    ("client", "place"),
    [
        ({"live": True}, "live"),
        ({"decisions": {"0": 1}}, "decisions"),
        ({"aimd": {}}, "aimd"),
        ({"deadlines": {"after": "1s"}}, "deadlines"),
    ],
)
def test_what_only_weir_s_own_can_do_is_refused(
    client: dict[str, Any], place: str, mine: Path
) -> None:
    found = problems_of(asking(**client), mine.parent)
    assert f"experiment.clients.0.{place}" in {problem.path for problem in found}


def test_it_plays_on_the_virtual_clock_over_http_1(mine: Path) -> None:
    for changed, path in (
        ({"clock": "real"}, "clock"),
        ({"server": {"http_version": 2}}, "server"),
    ):
        asked = asking()
        asked["experiment"] |= changed
        assert any(path in problem.path for problem in problems_of(asked, mine.parent))
