"""Sabre's manifests become films."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from weir_testing.films import film, refused, sabre


def test_sabre(tmp_path: Path) -> None:
    (tmp_path / "movie.json").write_text(sabre())
    content = film(tmp_path, {"sabre": "movie.json"})
    assert content["sizes_bytes"] == [[100, 50, 101], [200, 300, 201]]  # bits / 8
    assert (content["segments"], content["segment_s"]) == (3, 4.0)
    assert film(tmp_path, {"sabre": "movie.json"}, segments=2)["sizes_bytes"] == [
        [100, 50], [200, 300],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "path", "says"),
    [
        ("{", "sizes.sabre", "not JSON"),
        ("[]", "sizes.sabre", "object with segment_duration_ms"),
        (sabre(segment_sizes_bits=[[800, 1600], [400]]), "sizes.sabre", "segment 1 has 1 sizes"),
        (sabre(segment_sizes_bits=[[800, 0]]), "sizes.sabre", "level 1, segment 0: 0 bits"),
        (sabre(segment_sizes_bits=[[800, None]]), "sizes.sabre", "level 1, segment 0: None bits"),
        (sabre(segment_sizes_bits=[]), "sizes.sabre", "a row per segment"),
        (sabre(segment_duration_ms=2000), "segment", "write content.segment: 2s"),
        (
            sabre(bitrates_kbps=[100, 200, 300], segment_sizes_bits=[[1, 2, 3]]),
            "sizes.sabre",
            r"write content.ladder: \[100kbit/s, 200kbit/s, 300kbit/s\]",
        ),
    ],
)
def test_bad_sabre(tmp_path: Path, text: str, path: str, says: str) -> None:
    (tmp_path / "movie.json").write_text(text)
    problem = refused(tmp_path, {"sabre": "movie.json"})
    assert problem.path == f"experiment.content.{path}"
    assert re.search(says, str(problem))
