"""Tables of sizes, made-up ones, and what holds for every source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from weir.expand import Expansion
from weir.spec.load import load_campaign, parse_campaign
from weir_testing.films import document, film, refused, sabre


def test_a_table_by_its_key(tmp_path: Path) -> None:
    (tmp_path / "film.csv").write_text("10,20\n11,21\n")
    assert film(tmp_path, {"file": "film.csv"})["sizes_bytes"] == [[10, 11], [20, 21]]
    assert film(tmp_path, "film.csv")["sizes_bytes"] == [[10, 11], [20, 21]]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1,0", "level 1 has '0'"),
        ("1,", "level 1 has ''"),
        (",1", "level 0 has ''"),
        ("1,-5", "level 1 has '-5'"),
        ("1,2.5", "level 1 has '2.5'"),
        ("1,2,3", "it has 3 sizes and the ladder 2 levels"),
        ("1,99999999999", "level 1"),
        ("1," + "9" * 100_000, "level 1"),
    ],
)
def test_bad_lines_of_a_table(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "film.csv").write_text(f"10,20\n{line}\n")
    problem = refused(tmp_path, {"file": "film.csv"})
    assert problem.path == "experiment.content.sizes.file"
    assert problem.value.startswith("line 2: ") and says in problem.remedy


def test_more_segments_than_sizes(tmp_path: Path) -> None:
    (tmp_path / "film.csv").write_text("10,20\n11,21\n")
    problem = refused(tmp_path, "film.csv", segments=3)
    assert (problem.path, problem.value) == ("experiment.content.segments", 3)


def test_generated(tmp_path: Path) -> None:
    content = film(tmp_path, {"generate": {}}, segments=50)
    assert content["segments"] == 50 and len(content["sizes_bytes"] or []) == 2
    other = film(tmp_path, {"generate": {"seed": 2, "variation": "20%"}}, segments=50)
    assert other["sizes_bytes"] != content["sizes_bytes"]
    assert refused(tmp_path, {"generate": {}}).path == "experiment.content.segments"
    impossible = {"generate": {"variation": "300%", "peak": 1.5}}
    problem = refused(tmp_path, impossible, segments=50)
    assert problem.path == "experiment.content.sizes.generate" and problem.value == "variation 300%"
    problem = refused(tmp_path, {"generate": {"sede": 1}}, segments=50)
    assert problem.remedy == "unknown key; did you mean seed?"


def test_exactly_one_source(tmp_path: Path) -> None:
    (tmp_path / "film.csv").write_text("10,20\n")
    both = refused(tmp_path, {"file": "film.csv", "generate": {}}, segments=1)
    assert both.path == "experiment.content.sizes" and both.value == "file, generate"
    assert "exactly one of file, generate, dash, hls, sabre" in both.allowed
    assert refused(tmp_path, {}).path == "experiment.content.sizes"
    table = refused(tmp_path, {"file": "film.csv", "table": "film.csv"})
    assert table.path == "experiment.content.sizes.table"
    assert "did you mean sabre?" in refused(tmp_path, {"saber": "x.json"}).remedy


def test_sizes_as_a_factor_and_from_a_base_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "movie.json").write_text(sabre())
    (tmp_path / "films" / "base.yaml").write_text(json.dumps(document({"sabre": "movie.json"})))
    own: dict[str, Any] = {"name": "own", "base": "films/base.yaml"}
    (tmp_path / "own.yaml").write_text(json.dumps(own))
    experiment = next(Expansion(load_campaign(tmp_path / "own.yaml")).runs()).experiment
    assert experiment["content"]["segments"] == 3
    levels = document(None, segments=3)
    del levels["experiment"]["content"]["sizes"]
    levels["factors"] = {"content.sizes": [{"generate": {}}, {"generate": {"seed": 2}}]}
    campaign = parse_campaign(levels, tmp_path)
    first, second = (run.experiment["content"] for run in Expansion(campaign).runs())
    assert first["sizes_bytes"] != second["sizes_bytes"]
