"""A campaign file and what it names, made ready to be sent."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from weir.errors import SpecError
from weir.spec.load import load_campaign
from weir_engine.self_contained import self_contained

BASE = """
experiment:
  duration: 10s
  content: {ladder: [1Mbit/s, 2Mbit/s], segment: 2s}
  gateway: {downlink: {rate: {trace: ../lte.csv, format: pensieve}}, path: {rtt: {mean: 100ms}}}
"""
CAMPAIGN = """
# with a word of explanation
name: alone
description: lte.csv
base: shared/base.yaml
experiment:
  clients: [{player: "./half.py"}, {player: "../up.py:Up"}]
"""
ABR = """
class Half:
    def __init__(self, ladder, options): pass
    def choose(self, state): return 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study/shared").mkdir(parents=True)
    (tmp_path / "study/shared/base.yaml").write_text(BASE)
    (tmp_path / "study/lte.csv").write_text("0.5 8\n5 4\n")
    (tmp_path / "study/half.py").write_text(ABR)
    (tmp_path / "up.py").write_text(ABR.replace("Half", "Up"))
    (tmp_path / "study/c.yaml").write_text(CAMPAIGN)
    return tmp_path / "study"


def test_bases_are_merged_and_every_file_is_named(folder: Path) -> None:
    text, overrides, files = self_contained(folder / "c.yaml")
    content = yaml.safe_load(text)
    assert "base" not in content
    assert overrides == {}
    outside = next(name for name in files if name.startswith("outside/"))
    assert files[outside].read_text() == (folder / "../up.py").read_text()
    assert set(files) == {"lte.csv", "half.py", outside}
    players = [client["player"] for client in content["experiment"]["clients"]]
    assert players == ["./half.py", f"{outside}:Up"]


def test_what_is_sent_is_the_same_campaign(folder: Path, tmp_path: Path) -> None:
    text, _, files = self_contained(folder / "c.yaml")
    there = tmp_path / "there"
    for name, path in files.items():
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_bytes(path.read_bytes())
    (there / "campaign.yaml").write_text(text)
    sent = load_campaign(there / "campaign.yaml", confined=True)
    assert sent.experiment["gateway"] == load_campaign(folder / "c.yaml").experiment["gateway"]


def test_what_stands_alone_stays_as_it_is_written(folder: Path) -> None:
    text = CAMPAIGN.replace("base: shared/base.yaml\n", "").replace("../up.py:Up", "half.py")
    (folder / "c.yaml").write_text(text)
    assert self_contained(folder / "c.yaml")[0] == text


def test_files_of_overrides_go_along(folder: Path) -> None:
    given = {"gateway.downlink.rate.trace": "../up.py", "duration": "5s"}
    _, overrides, files = self_contained(folder / "c.yaml", given)
    assert overrides["duration"] == "5s"
    assert overrides["gateway.downlink.rate.trace"] in files


def test_long_texts_are_no_files(folder: Path) -> None:
    (folder / "c.yaml").write_text(f"name: long\nexperiment: {{a: {'x' * 5000}}}\n")
    assert self_contained(folder / "c.yaml")[2] == {}


def test_a_player_s_folder_goes_with_all_that_is_not_hidden(folder: Path) -> None:
    for at in (folder / "mine", folder.parent / "other"):
        (at / "lib/.cache").mkdir(parents=True)
        (at / "package.json").write_text('{"main": "lib/a.js"}')
        (at / "lib/a.js").write_text("")
        (at / "lib/.cache/x").write_text("")
    text = CAMPAIGN.replace("./half.py", "./mine/").replace("../up.py:Up", "../other/")
    (folder / "c.yaml").write_text(text)
    document, _, files = self_contained(folder / "c.yaml")
    players = [each["player"] for each in yaml.safe_load(document)["experiment"]["clients"]]
    assert players[0] == "./mine/" and players[1].startswith("outside/")
    assert {"mine/package.json", "mine/lib/a.js", f"{players[1]}lib/a.js"} <= files.keys()
    assert not any("cache" in name for name in files)
    (folder / "mine/lib/b.js").symlink_to("a.js")
    with pytest.raises(SpecError, match=r"./mine/lib/b.js: a link"):
        self_contained(folder / "c.yaml")
