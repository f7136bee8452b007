"""People's scores beside the measured metrics: what is joined, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from weir_engine.errors import BadInput
from weir_engine.report import ratings, terminal
from weir_engine.report.build import Report, build
from weir_engine.row import Row

CC = "server.congestion_control"
RECORD: Any = {"name": "small", "description": "", "spec": {}, "factors": [CC]}


def report() -> Report:
    """Two runs with reno, one with cubic."""
    metrics: Any = {"run": {}, "clients": [{"client": 1, "rank": 1, "mean_bitrate_bps": 1e6}]}
    rows = [
        Row(key, {CC: control}, k, k, "succeeded", "", Path(), metrics)
        for k, (key, control) in enumerate(
            [("aaaaaa11", "reno"), ("aaaaaa22", "reno"), ("bbbbbb33", "cubic")]
        )
    ]
    return build(RECORD, rows, ["mean_bitrate_bps"])


def read(folder: Path, *lines: str) -> list[ratings.Rating]:
    file = folder / "scores.csv"
    file.write_text("\n".join(["person,recording,item,score", *lines]), encoding="utf-8")
    return ratings.read(file)


def test_each_person_counts_once_for_a_combination(tmp_path: Path) -> None:
    scores = read(
        tmp_path,
        "ann,aaaaaa11,picture,5", "ann,aaaaaa22,picture,2",
        "bob,aaaaaa11,picture,4", "eve,aaaaaa11,picture,3",
        "ann,bbbbbb,picture,1", "ann,bbbbbb33,sound,2",
    )  # fmt: skip
    joined = report()
    ratings.join(scores, [joined])
    reno, cubic = joined.opinions[0]["picture"], joined.opinions[1]["picture"]
    # 3.5, 4 and 3: sd 0.5, and t(0.975, 2) = 4.3027
    assert (reno.n, reno.mean) == (3, 3.5)
    assert reno.sd == pytest.approx(0.5)
    assert reno.ci_high - reno.mean == pytest.approx(4.3027 * 0.5 / 3**0.5, rel=1e-4)
    assert (cubic.n, cubic.mean) == (1, 1.0)
    assert joined.items == ["picture", "sound"]
    told = terminal.as_json(joined)["opinions"]
    assert [(one["levels"][CC], one["item"], one["people"]) for one in told] == [
        ("reno", "picture", 3), ("cubic", "picture", 1), ("cubic", "sound", 1),
    ]  # fmt: skip
    console = Console(width=80)
    with console.capture() as shown:
        console.print(terminal.opinions(joined))
    assert "3.50 ± 1.24" in shown.get()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["ann,aaaaaa11,picture,6"], r"scores\.csv:2: score 6 — .* 1 \(bad\) to 5"),
        (["ann,aaaaaa11,picture,3.5"], "score 3.5"),
        (["ann,aaaaaa11,picture"], "score empty"),
        (["ann,aaaaaa11,picture,3", ",aaaaaa11,picture,3"], r"scores\.csv:3: person is empty"),
        (["ann,aaa,picture,3"], "first 6 characters"),
        (["ann,aaaaaa11,sound,3", "ann,aaaaaa11,sound,4"], r"already, at .*:2"),
        (["ann,aaaaaa,picture,3"], "is that of 2 runs"),
        (["ann,cccccc,picture,3"], "is that of 0 runs"),
        ([], "no scores"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, lines: list[str], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        ratings.join(read(tmp_path, *lines), [report()])


def test_a_file_without_its_columns_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("who,score\nann,3\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no column person, recording, item"):
        ratings.read(file)
    with pytest.raises(BadInput, match="a CSV file"):
        ratings.read(tmp_path / "none.csv")
