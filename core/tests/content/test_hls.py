"""HLS playlists become films."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from weir_testing.films import film, refused

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
