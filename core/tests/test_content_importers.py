"""Manifests of other tools become films; what does not fit the ladder is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from weir.errors import Problem, SpecError
from weir.expand import expand
from weir.spec import load_campaign, parse_campaign

LADDER = ["100kbit/s", "200kbit/s"]


def document(sizes: Any, **content: Any) -> dict[str, Any]:
    experiment = {
        "duration": "20s",
        "content": {"ladder": LADDER, "segment": "4s", "sizes": sizes, **content},
        "gateway": {"downlink": {"rate": "8Mbit/s", "queue": {"limit": "67packets"}}},
        "clients": [{"player": "bba2", "buffer": "240s"}],
    }
    return {"name": "x", "experiment": experiment}


def film(folder: Path, sizes: Any, **content: Any) -> dict[str, Any]:
    campaign = parse_campaign(document(sizes, **content), folder)
    found: dict[str, Any] = expand(campaign)[0].experiment["content"]
    return found


def refused(folder: Path, sizes: Any, **content: Any) -> Problem:
    with pytest.raises(SpecError) as error:
        parse_campaign(document(sizes, **content), folder)
    (problem,) = error.value.problems
    assert problem.remedy and problem.path.startswith("experiment.content")
    return problem


# Sabre


def sabre(**changed: Any) -> str:
    movie = {
        "segment_duration_ms": 4000,
        "bitrates_kbps": [100, 200],
        "segment_sizes_bits": [[800, 1600], [400, 2400], [808, 1608]],
    }
    return json.dumps({**movie, **changed})


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


# HLS

MASTER = """#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=400000,AVERAGE-BANDWIDTH=200000,RESOLUTION=640x360
high/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=300000,AVERAGE-BANDWIDTH=100000,RESOLUTION=320x180
low/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=64000
audio.m3u8
"""
HEAD = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:4\n"


def hls(folder: Path, low: str, high: str, master: str = MASTER) -> dict[str, str]:
    (folder / "master.m3u8").write_text(master)
    for name, text in (("low", low), ("high", high)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "list.m3u8").write_text(HEAD + text)
    return {"hls": "master.m3u8"}


def ranged(*sizes: Any) -> str:
    return "".join(f"#EXTINF:4.0,\n#EXT-X-BYTERANGE:{size}\nall.ts\n" for size in sizes)


def test_hls_byte_ranges(tmp_path: Path) -> None:
    sizes = hls(tmp_path, ranged("1000@0", 1500), ranged("2000@0", 2500))
    assert film(tmp_path, sizes)["sizes_bytes"] == [[1000, 1500], [2000, 2500]]


def test_hls_files_and_a_short_last_segment(tmp_path: Path) -> None:
    listed = "#EXTINF:4.0,\na.ts\n#EXTINF:4.0,\nb.ts\n#EXTINF:1.5,\nc.ts\n"
    sizes = hls(tmp_path, listed, listed)
    for folder, level in (("low", 1), ("high", 2)):
        for name, size in (("a", 100), ("b", 200), ("c", 50)):
            (tmp_path / folder / f"{name}.ts").write_bytes(bytes(size * level))
    assert film(tmp_path, sizes)["sizes_bytes"] == [[100, 200, 50], [200, 400, 100]]
    (tmp_path / "low" / "b.ts").unlink()
    assert refused(tmp_path, sizes).value == "low/b.ts"
    (tmp_path / "low" / "b.ts").write_bytes(b"")
    assert "level 0, segment 1: 0 bytes" in refused(tmp_path, sizes).value


@pytest.mark.parametrize(
    ("low", "says"),
    [
        (ranged(1000), "level 0 has 1 segments, another 2"),
        (ranged(1000, 0), "level 0, segment 1: 0 bytes"),
        (ranged(1000, "x"), "EXT-X-BYTERANGE|no sound HLS"),
        ("", "it has no segments"),
        ("#EXTINF:4,\n/etc/passwd\n", "outside the manifest's folder"),
        ("#EXTINF:4,\n../../x.ts\n", "outside the manifest's folder"),
        ("#EXTINF:4,\nhttp://example.org/x.ts\n", "beside the manifest"),
    ],
)
def test_bad_hls(tmp_path: Path, low: str, says: str) -> None:
    sizes = hls(tmp_path, low, ranged(2000, 2500))
    assert re.search(says, str(refused(tmp_path, sizes)))


def test_hls_wants_the_master_playlist(tmp_path: Path) -> None:
    assert "no master playlist" in str(refused(tmp_path, hls(tmp_path, "", "", HEAD)))
    assert "#EXTM3U" in str(refused(tmp_path, hls(tmp_path, "", "", "hello")))


# DASH

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


# Tables, generator, and what is common to all


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
    assert content["segments"] == 50 and len(content["sizes_bytes"]) == 2
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
    experiment = expand(load_campaign(tmp_path / "own.yaml"))[0].experiment
    assert experiment["content"]["segments"] == 3
    levels = document(None, segments=3)
    del levels["experiment"]["content"]["sizes"]
    levels["factors"] = {"content.sizes": [{"generate": {}}, {"generate": {"seed": 2}}]}
    first, second = (run.experiment["content"] for run in expand(parse_campaign(levels, tmp_path)))
    assert first["sizes_bytes"] != second["sizes_bytes"]
