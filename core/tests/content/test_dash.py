"""DASH manifests become films."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir_testing.films import film, refused

TEMPLATE = """<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT0M10.0S">
 <Period>
  <AdaptationSet contentType="audio"><Representation id="a" bandwidth="64000"/></AdaptationSet>
  <AdaptationSet mimeType="video/mp4"><BaseURL>video/</BaseURL>{template}
   <Representation id="high" bandwidth="200000"/>
   <Representation id="low" bandwidth="100000">{inner}</Representation>
  </AdaptationSet>
 </Period>
</MPD>
"""


NUMBERED = (
    '<SegmentTemplate timescale="1000" duration="4000" startNumber="0" '
    'media="$RepresentationID$-$Number%03d$.m4s"/>'
)


TIMED = (
    '<SegmentTemplate timescale="10" media="$Bandwidth$/$Time$.m4s"><SegmentTimeline>'
    '<S t="5" d="40" r="1"/><S d="20"/></SegmentTimeline></SegmentTemplate>'
)


def mpd(folder: Path, template: str, inner: str = "", text: str = TEMPLATE) -> dict[str, str]:
    (folder / "film.mpd").write_text(text.replace("{template}", template).replace("{inner}", inner))
    return {"dash": "film.mpd"}


def write(folder: Path, files: dict[str, int]) -> None:
    for name, size in files.items():
        file = folder / "video" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(size))


def test_dash_numbered_files(tmp_path: Path) -> None:
    sizes = mpd(tmp_path, NUMBERED)
    write(tmp_path, {"low-000.m4s": 10, "low-001.m4s": 11, "low-002.m4s": 12})
    write(tmp_path, {"high-000.m4s": 20, "high-001.m4s": 21, "high-002.m4s": 22})
    # 10 s in segments of 4 s: three.
    assert film(tmp_path, sizes)["sizes_bytes"] == [[10, 11, 12], [20, 21, 22]]
    (tmp_path / "video" / "low-001.m4s").unlink()
    assert refused(tmp_path, sizes).value == "video/low-001.m4s"


def test_dash_timeline(tmp_path: Path) -> None:
    sizes = mpd(tmp_path, TIMED)
    for rate in (100, 200):
        write(tmp_path, {f"{rate}000/{at}.m4s": rate + at for at in (5, 45, 85)})
    assert film(tmp_path, sizes)["sizes_bytes"] == [[105, 145, 185], [205, 245, 285]]


def test_dash_list_of_ranges(tmp_path: Path) -> None:
    def listed(*ranges: str) -> str:
        urls = "".join(f'<SegmentURL mediaRange="{r}"/>' for r in ranges)
        return f'<SegmentList duration="4">{urls}</SegmentList>'

    sizes = mpd(tmp_path, listed("0-1999", "2000-2999"), listed("0-99", "100-149"))
    assert film(tmp_path, sizes)["sizes_bytes"] == [[100, 50], [2000, 1000]]


def test_dash_with_a_table(tmp_path: Path) -> None:
    sizes = {**mpd(tmp_path, NUMBERED), "table": "sizes.csv"}
    (tmp_path / "sizes.csv").write_text("10,20\n11,21\n12,22\n")
    assert film(tmp_path, sizes)["sizes_bytes"] == [[10, 11, 12], [20, 21, 22]]
    (tmp_path / "sizes.csv").write_text("10,20\n11\n")
    assert "it has 1 sizes and the ladder 2 levels" in str(refused(tmp_path, sizes))
    (tmp_path / "sizes.csv").write_text("10,20\n11,21\n")
    assert "2 rows in the table" in str(refused(tmp_path, sizes))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<MPD", "not XML"),
        ("<a/>", "its root is a"),
        ('<!DOCTYPE MPD [<!ENTITY a "b">]><MPD/>', "declares a DTD"),
        ("<MPD/>", "no Period"),
        ("<MPD><Period/></MPD>", "no AdaptationSet"),
        (TEMPLATE.format(template="", inner=""), "no SegmentList and no SegmentTemplate"),
        (TEMPLATE.format(template=NUMBERED.replace("4000", "0"), inner=""), "@duration 0"),
        (TEMPLATE.format(template=NUMBERED.replace("4000", "2000"), inner=""), "content.segment"),
        (TEMPLATE.format(template=NUMBERED, inner="").replace("PT0M10.0S", "10s"), "PT9M56.46S"),
        (
            TEMPLATE.format(template=NUMBERED.replace("4000", "1"), inner="").replace(
                "PT0M10.0S", "P9999D"
            ),
            "at most 100000",
        ),
        (TEMPLATE.format(template=TIMED.replace('r="1"', 'r="-1"'), inner=""), "open repeats"),
        (TEMPLATE.format(template=NUMBERED.replace("$Number%03d$", "/x"), inner=""), "no such"),
    ],
)
def test_bad_dash(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "film.mpd").write_text(text)
    for name in ("low", "high"):
        write(tmp_path, {f"{name}-{k:03}.m4s": 10 for k in range(5)})
    assert says in str(refused(tmp_path, {"dash": "film.mpd"}))
