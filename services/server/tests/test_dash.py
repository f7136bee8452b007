"""The film as DASH: what the manifest says, and headers of exact sizes."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from weir_server import dash, fmp4, mpd
from weir_testing.cells import client, experiment

NAMES = {"d": "urn:mpeg:dash:schema:mpd:2011"}
CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"mvex", b"moof", b"traf"}


def boxes(data: bytes) -> dict[bytes, bytes]:
    """Content by type, of boxes within boxes too; each box ends where the next begins."""
    found = {}
    at = 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        assert size >= 8, kind
        found[kind] = data[at + 8 : at + size]
        if kind in CONTAINERS:
            found.update(boxes(found[kind]))
        at += size
    return found


def player(**settings: float) -> dict[str, object]:
    tree = {"streaming": {"buffer": settings}}
    return client("dashjs", options={"version": "5.2.1", "settings": tree})


def test_the_initialization_segment_tells_size_and_timescale() -> None:
    found = boxes(fmp4.initialization(640, 360))
    assert struct.unpack(">II", found[b"tkhd"][-8:]) == (640 << 16, 360 << 16)
    assert struct.unpack_from(">I", found[b"mdhd"], 12) == (fmp4.TIMESCALE,)
    entry = found[b"stsd"][8:]
    assert entry[4:8] == b"avc1" and struct.unpack_from(">HH", entry, 32) == (640, 360)
    assert len(found[b"mvhd"]) == 100 and len(found[b"tkhd"]) == 84


@pytest.mark.parametrize("size", [62_000, 1_064_001])
def test_a_media_segment_is_of_its_size_and_plays_when_it_is_due(size: int) -> None:
    header = fmp4.media_header(3, 2.0, size)
    found = boxes(header + bytes(size - len(header)))
    assert struct.unpack_from(">Q", found[b"tfdt"], 4) == (3 * 2000,)
    sample_ticks, sample_bytes = struct.unpack_from(">II", found[b"tfhd"], 8)
    frames, offset = struct.unpack_from(">Ii", found[b"trun"], 4)
    assert frames * sample_ticks == 2000
    # The first sample begins with the media data, which holds all of them; from the moof's begin
    # (section 8.8.7.1).
    assert offset == len(header) - header.index(b"moof") + 4
    assert 0 <= len(found[b"mdat"]) - frames * sample_bytes < frames


def test_a_segment_without_room_for_headers_is_refused() -> None:
    with pytest.raises(ValueError, match="100 bytes has no room"):
        fmp4.media_header(0, 2.0, 100)


def test_emulated_players_need_no_such_film() -> None:
    assert mpd.film(experiment({}, client())) is None


def test_the_manifest_names_levels_and_segments() -> None:
    film = mpd.film(experiment({"content.segments": 7}, player()))
    assert film is not None
    root = ElementTree.fromstring(film["manifest"])
    assert root.get("mediaPresentationDuration") == "PT14.000S"
    rates = [one.get("bandwidth") for one in root.iterfind(".//d:Representation", NAMES)]
    assert rates == ["248000", "456000", "928000", "1632000", "4256000"]
    assert [len(sizes) for sizes in film["segment_bytes"]] == [7] * 5
    assert film["segment_bytes"][4][0] == 1_064_000


def test_an_endless_film_goes_as_far_as_a_player_may_get() -> None:
    for ahead_s, asked in ((30, player()), (90, player(bufferTimeAtTopQuality=90))):
        film = mpd.film(experiment({"duration_s": 20.0}, asked))
        assert film is not None
        assert len(film["segment_bytes"][0]) == (20 + ahead_s) / 2 + 1


def test_a_film_of_sizes_of_its_own_keeps_them(tmp_path: Path) -> None:
    sizes = [[30_000, 40_000], [90_000, 70_001]]
    content = {"content.sizes_bytes": sizes, "content.bitrates_bps": [1e5, 3e5]}
    film = mpd.film(experiment(content, player()))
    assert film is not None
    dash.write(str(tmp_path), film)
    there = {
        f"{path.parent.name}/{path.stem}": path.stat().st_size
        for path in tmp_path.glob("dash/*/*.m4s")
    }
    assert there == {"0/0": 30_000, "0/1": 40_000, "1/0": 90_000, "1/1": 70_001}
    assert (tmp_path / "manifest.mpd").read_text() == film["manifest"]


def test_hls_players_find_the_same_segments_in_playlists() -> None:
    own = client("hlsjs", options={"version": "1.7.4", "settings": {}})
    film = mpd.film(experiment({"content.segments": 3}, own))
    assert film is not None
    levels = [line for line in film["playlists"]["master.m3u8"].splitlines() if line[0] != "#"]
    assert levels == [f"hls/{level}.m3u8" for level in range(len(film["sizes"]))]
    lines = film["playlists"]["hls/1.m3u8"].splitlines()
    assert [line for line in lines if line[0] != "#"] == [f"../dash/1/{n}.m4s" for n in range(3)]
    assert lines.count("#EXTINF:2.000,") == 3 and lines[-1] == "#EXT-X-ENDLIST"
    dashs = mpd.film(experiment({"content.segments": 3}, player()))
    assert dashs is not None and dashs["playlists"] == {}
    assert dashs["segment_bytes"] == film["segment_bytes"]
