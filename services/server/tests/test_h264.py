"""Pictures that decode, of exact sizes: by ffmpeg, or by Chromium where that is not there."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from weir_lab.players import browser
from weir_server import dash, fmp4, h264, mpd
from weir_testing.cells import client, experiment
from weir_testing.chromium import running, session_of

CHROMIUM = client("chromium", options={"version": "5.2.1", "settings": {}})
FRAME_BYTES = h264.WIDTH * h264.HEIGHT * 3 // 2
"""As decoded: 4:2:0, 8 bits."""


def films(folder: Path, **changes: Any) -> dict[str, bytes]:
    """Each level of a film as one file: its initialization segment and all others."""
    content = {f"content.{name}": value for name, value in changes.items()}
    film = mpd.film(experiment(content, CHROMIUM))
    assert film is not None
    dash.write(str(folder), film)
    found = {}
    for level in sorted(folder.glob("dash/*")):
        segments = sorted(level.glob("*.m4s"), key=lambda path: int(path.stem))
        parts = [level / "init.mp4", *segments]
        found[level.name] = b"".join(part.read_bytes() for part in parts)
    return found


def decoded(film: bytes, folder: Path) -> tuple[int, int, int]:
    """Frames, width and height; an error of the decoder fails the test."""
    if shutil.which("ffmpeg") is None:
        return by_chromium(film, folder)
    path = folder / "film.mp4"
    path.write_bytes(film)
    words = ["-v", "error", "-xerror", "-i", str(path), "-pix_fmt", "yuv420p", "-fps_mode",
             "passthrough", "-f", "rawvideo", "-"]  # fmt: skip
    done = subprocess.run(["ffmpeg", *words], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    whole = done.stdout
    assert len(whole) % FRAME_BYTES == 0
    # One picture, over and over.
    assert whole == whole[:FRAME_BYTES] * (len(whole) // FRAME_BYTES)
    return len(whole) // FRAME_BYTES, h264.WIDTH, h264.HEIGHT


PLAY = """new Promise((done, failed) => {
  const video = document.createElement('video');
  // A source that is set takes the rate from the default.
  Object.assign(video, {muted: true, defaultPlaybackRate: 8});
  document.documentElement.append(video);
  video.onerror = () => failed(video.error.message);
  video.onended = () => done([video.getVideoPlaybackQuality().totalVideoFrames, video.videoWidth,
                              video.videoHeight]);
  video.src = 'data:video/mp4;base64,%s';
  video.play();
})"""


def by_chromium(film: bytes, folder: Path) -> tuple[int, int, int]:
    """As `decoded`."""
    if not browser.is_there():
        pytest.skip("neither ffmpeg nor chromium-headless-shell is installed")
    asked = {"expression": PLAY % base64.b64encode(film).decode(), "awaitPromise": True}
    with running(folder) as made:
        answer = made.ask("Runtime.evaluate", session_of(made), returnByValue=True, **asked)
    assert "exceptionDetails" not in answer, json.dumps(answer)
    frames, width, height = answer["result"]["value"]
    return frames, width, height


@pytest.mark.parametrize("segment_s", [0.2, 1.0, 2.0, 7.2])
def test_a_film_decodes_to_its_end_at_every_level(tmp_path: Path, segment_s: float) -> None:
    levels = films(tmp_path, segments=4, segment_s=segment_s, bitrates_bps=[40e3, 3e6])
    assert len(levels) == 2
    for film in levels.values():
        frames = 4 * fmp4.samples(segment_s, h264.FRAMES_PER_S)
        assert decoded(film, tmp_path) == (frames, h264.WIDTH, h264.HEIGHT)


def test_chromium_decodes_it_too(tmp_path: Path) -> None:
    (film,) = films(tmp_path, segments=2, segment_s=1.0, bitrates_bps=[100e3]).values()
    frames = 2 * fmp4.samples(1.0, h264.FRAMES_PER_S)
    assert by_chromium(film, tmp_path) == (frames, h264.WIDTH, h264.HEIGHT)


def test_segments_are_of_their_sizes_to_the_byte(tmp_path: Path) -> None:
    sizes = [[30_000, 40_001, 70_003], [90_000, 70_001, 50_002]]
    found = films(tmp_path, sizes_bytes=sizes, bitrates_bps=[1e5, 3e5])
    there = [
        [(tmp_path / f"dash/{level}/{number}.m4s").stat().st_size for number in range(3)]
        for level in range(2)
    ]
    assert there == sizes
    for film in found.values():
        assert decoded(film, tmp_path)[0] == 3 * fmp4.samples(2.0, h264.FRAMES_PER_S)


@pytest.mark.parametrize("segment_s", [0.1, 0.5, 1.0, 2.0, 10.0])
def test_the_least_that_an_experiment_may_ask_for_has_room(
    tmp_path: Path, segment_s: float
) -> None:
    # As weir.spec.programs asks for it.
    least = round(2000 * max(segment_s, 0.5))
    found = films(tmp_path, segment_s=segment_s, sizes_bytes=[[least]], bitrates_bps=[1e5])
    assert decoded(found["0"], tmp_path)[0] == fmp4.samples(segment_s, h264.FRAMES_PER_S)


def test_a_picture_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="10 bytes has no room"):
        h264.sample(0, 10)


def test_pictures_are_told_apart_from_filler_by_their_length_alone() -> None:
    sample = h264.sample(3, 1000)
    picture_bytes = int.from_bytes(sample[:4], "big")
    filler_bytes = int.from_bytes(sample[4 + picture_bytes :][:4], "big")
    # All of the sample is the two units (ISO/IEC 14496-15, section 5.3.4.2).
    assert 8 + picture_bytes + filler_bytes == 1000
    assert sample[8 + picture_bytes] & 0x1F == 12


def test_files_take_the_memory_that_is_set_aside(tmp_path: Path) -> None:
    film = mpd.film(experiment({"content.segments": 20}, CHROMIUM))
    assert film is not None
    in_memory = Path("/dev/shm") / f"weir-test-{time.time_ns()}"
    in_memory.mkdir()
    try:
        dash.write(str(in_memory), film)
        taken = sum(path.stat().st_blocks * 512 for path in in_memory.glob("dash/*/*.m4s"))
    finally:
        shutil.rmtree(in_memory)
    whole = sum(map(sum, film["segment_bytes"]))
    assert 0 < taken <= mpd.memory_bytes(film) < whole
    film.pop("decodes")
    assert mpd.memory_bytes(film) == 0
