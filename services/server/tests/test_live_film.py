"""A live film: what its manifest says, and when its chunks are there."""

from __future__ import annotations

import struct
from typing import Any
from xml.etree import ElementTree

import pytest
from weir_server import live, mpd
from weir_server.began import BEGAN, date_time
from weir_server.mpd import Film
from weir_testing.cells import client, experiment
from weir_testing.live_film import content

NAMES = {"d": "urn:mpeg:dash:schema:mpd:2011"}
DASHJS = client("dashjs", options={"version": "5.2.1", "settings": {}})


def film(**changes: Any) -> Film:
    """Of segments of 2 s; 20 s of it are seen."""
    found = mpd.film(experiment({"content": content(**changes)}, DASHJS))
    assert found is not None
    return found


def template(of: Film) -> tuple[ElementTree.Element, ElementTree.Element]:
    root = ElementTree.fromstring(of["manifest"].replace(BEGAN, "2026-01-01T00:00:00.000Z"))
    found = root.find(".//d:SegmentTemplate", NAMES)
    assert found is not None
    return root, found


def test_the_manifest_tells_since_when_and_how_far_ahead_of_whole_segments() -> None:
    root, segments = template(film())
    assert root.get("type") == "dynamic" and root.get("timeShiftBufferDepth") == "PT30S"
    assert root.get("availabilityStartTime") == "2026-01-01T00:00:00.000Z"
    assert float(segments.get("availabilityTimeOffset", 0)) == 1.5
    assert segments.get("availabilityTimeComplete") == "false"
    latency, rate = (root.find(f".//d:{name}", NAMES) for name in ("Latency", "PlaybackRate"))
    assert latency is not None and latency.attrib == {"target": "3000"}
    assert rate is not None and rate.attrib == {"min": "0.96", "max": "1.04"}


def test_whole_segments_are_there_when_the_manifest_says_nothing() -> None:
    root, segments = template(film(chunk_s=2.0, max_latency_s=6.0))
    assert not {"availabilityTimeOffset", "availabilityTimeComplete"} & segments.attrib.keys()
    latency = root.find(".//d:Latency", NAMES)
    assert latency is not None and latency.attrib == {"target": "3000", "max": "6000"}


def test_the_film_reaches_from_its_time_shift_buffer_to_the_end() -> None:
    assert [len(sizes) for sizes in film()["segment_bytes"]] == [25] * 5


def test_chunks_are_due_at_their_ends_and_make_up_the_segment() -> None:
    found = live.chunks(film(), 3, 10, 20.5)
    assert [due_s for due_s, _, _ in found] == [20.5, 21.0, 21.5, 22.0]
    assert sum(len(header) + data_bytes for _, header, data_bytes in found) == 1632e3 * 2 / 8
    starts = [struct.unpack_from(">Q", h, h.index(b"tfdt") + 8)[0] for _, h, _ in found]
    assert starts == [20_000, 20_500, 21_000, 21_500]
    # So many samples of so many ms each.
    for _, header, _ in found:
        (frames,) = struct.unpack_from(">I", header, header.index(b"trun") + 8)
        (sample_ms,) = struct.unpack_from(">I", header, header.index(b"tfhd") + 12)
        assert frames * sample_ms == 500


@pytest.mark.parametrize(
    ("segment", "now_s", "there"),
    [
        (10, 20.499, False),  # its first chunk is not made yet
        (10, 54.0, True),
        (10, 54.001, False),  # it has left the time-shift buffer
        (25, 60.0, False),  # the film is over
    ],
)
def test_what_is_too_new_or_too_old_is_not_there(segment: int, now_s: float, there: bool) -> None:
    assert bool(live.chunks(film(), 0, segment, now_s)) is there


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/dash/2/17.m4s", (2, 17)),
        ("/dash/2/17.m4s?CMCD=br%3D928%2Cot%3Dv", (2, 17)),
        ("/dash/2/17.mp4", None),
        ("/dash/2/x.m4s", None),
        ("/dash/17.m4s", None),
    ],
)
def test_paths_name_a_level_and_a_segment(path: str, found: tuple[int, int] | None) -> None:
    assert live.named(path) == found


def test_moments_are_told_to_the_millisecond() -> None:
    assert date_time(1.0625) == "1970-01-01T00:00:01.062Z"
    assert date_time(86399.9996) == "1970-01-02T00:00:00.000Z"
