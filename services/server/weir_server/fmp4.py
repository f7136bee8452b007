"""Headers of fragmented MP4 (ISO/IEC 14496-12; section numbers are of its 2015 edition).

What they announce is one video track whose samples all last as long and are of one size. The media
data itself is made up.
"""

from __future__ import annotations

from struct import pack

__all__ = ["TIMESCALE", "chunk_headers", "initialization", "media_header", "samples"]

TIMESCALE = 1000
"""Of all times in the headers: ticks a second."""
FRAMES_PER_S = 25
_UNITY = pack(">9i", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
_TRACK = 1
_NON_SYNC, _SYNC = 0x01010000, 0x02000000  # section 8.8.3.1: which samples need others
# AVC's decoder configuration (ISO/IEC 14496-15, section 5.3.3): High profile, level 4.0. It has no
# parameter sets, which only a decoder would read, but as many bytes as one with them (h264.py).
_AVC = bytes((1, 0x64, 0, 0x28, 0xFF, 0xE0, 0)) + bytes(21)


def initialization(width: int, height: int, configuration: bytes = _AVC) -> bytes:
    """The segment that comes before a level's others (section 8.16.2).

    configuration: of AVC's decoder.
    """
    entry = _box(
        b"avc1",
        pack(">6xH16xHHIIIH32sHh", 1, width, height, 0x480000, 0x480000, 0, 1, b"", 0x18, -1),
        _box(b"avcC", configuration),
    )
    samples = _box(
        b"stbl",
        _full(b"stsd", 0, pack(">I", 1), entry),
        *(_full(name, 0, pack(">I", 0)) for name in (b"stts", b"stsc", b"stco")),
        _full(b"stsz", 0, pack(">II", 0, 0)),
    )
    reference = _full(b"dref", 0, pack(">I", 1), _full(b"url ", 1))
    media = _box(
        b"mdia",
        _full(b"mdhd", 0, pack(">IIIIHH", 0, 0, TIMESCALE, 0, 0x55C4, 0)),
        _full(b"hdlr", 0, pack(">I4s12xx", 0, b"vide")),
        _box(b"minf", _full(b"vmhd", 1, bytes(8)), _box(b"dinf", reference), samples),
    )
    header = pack(">IIIII8xhhhH", 0, 0, _TRACK, 0, 0, 0, 0, 0, 0)
    track = _full(b"tkhd", 3, header, _UNITY, pack(">II", width << 16, height << 16))
    movie = pack(">IIIIIH10x", 0, 0, TIMESCALE, 0, 0x10000, 0x100)
    return _box(b"ftyp", b"iso6", pack(">I", 0), b"iso6cmfc") + _box(
        b"moov",
        _full(b"mvhd", 0, movie, _UNITY, bytes(24), pack(">I", _TRACK + 1)),
        _box(b"trak", track, media),
        _box(b"mvex", _full(b"trex", 0, pack(">IIIII", _TRACK, 1, 0, 0, 0))),
    )


def samples(duration_s: float, frames_per_s: float = FRAMES_PER_S) -> int:
    """How many samples a segment has that is no live one."""
    return max(1, round(duration_s * frames_per_s))


def media_header(
    number: int, duration_s: float, size_bytes: int, frames_per_s: float = FRAMES_PER_S
) -> bytes:
    """All of a media segment before its media data, which fills it up to size_bytes: samples of
    equal size, and behind them the remainder: fewer bytes than there are samples.

    number: 0-based; those before last as long. Raises ValueError where the segment has no room.
    """
    ticks = round(duration_s * TIMESCALE)
    frames = samples(duration_s, frames_per_s)
    return _fragment(number + 1, number * ticks, ticks, frames, size_bytes, _KIND)


def chunk_headers(number: int, duration_s: float, sizes_bytes: list[int]) -> list[bytes]:
    """The same of each chunk of a segment (ISO/IEC 23000-19, section 7.3.2.3), all as long.

    Raises ValueError where a chunk has no room.
    """
    count = len(sizes_bytes)
    ticks, start = round(duration_s * TIMESCALE) // count, number * round(duration_s * TIMESCALE)
    # As long as its samples are together, whatever 25 frames a second would make of it.
    most = max(1, round(duration_s * FRAMES_PER_S / count))
    frames = next(each for each in range(most, 0, -1) if ticks % each == 0)
    return [
        _fragment(
            number * count + index + 1,
            start + index * ticks,
            ticks,
            frames,
            size_bytes,
            b"" if index else _KIND,
            _NON_SYNC if index else _SYNC,
        )
        for index, size_bytes in enumerate(sizes_bytes)
    ]


def _fragment(
    sequence: int,
    start: int,
    ticks: int,
    frames: int,
    size_bytes: int,
    kind: bytes,
    first: int = _SYNC,
) -> bytes:
    """A movie fragment (section 8.8) after `kind`, and the header of its media data."""
    # Sizes of the boxes do not depend on what they say, so the first go tells where data begins.
    header = b""
    for _ in range(2):
        data_bytes = size_bytes - len(header)
        if data_bytes < 0:
            raise ValueError(f"a fragment of {size_bytes} bytes has no room for its headers")
        flags = 0x020000 | 0x08 | 0x10 | 0x20  # default-base-is-moof, and three defaults
        defaults = pack(">IIII", _TRACK, ticks // frames, data_bytes // frames, _NON_SYNC)
        run = pack(">IiI", frames, max(0, len(header) - len(kind)), first)
        fragment = _box(
            b"traf",
            _full(b"tfhd", flags, defaults),
            _full(b"tfdt", 1 << 24, pack(">Q", start)),
            _full(b"trun", 0x01 | 0x04, run),
        )
        moof = _box(b"moof", _full(b"mfhd", 0, pack(">I", sequence)), fragment)
        header = kind + moof + pack(">I4s", 8 + data_bytes, b"mdat")
    return header


def _box(kind: bytes, *content: bytes) -> bytes:
    body = b"".join(content)
    return pack(">I4s", 8 + len(body), kind) + body


def _full(kind: bytes, version_and_flags: int, *content: bytes) -> bytes:
    return _box(kind, pack(">I", version_and_flags), *content)


_KIND = _box(b"styp", b"msdh", pack(">I", 0), b"msdhmsix")
"""What a segment begins with (section 8.16.2)."""
