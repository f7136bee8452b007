"""A picture that decodes, of any size in bytes: H.264 (ITU-T H.264, section numbers of 08/2021).

Grey, and the same ever after: one intra picture without residuals, and pictures that skip all of
their macroblocks. What is left of a sample is filler data (section 7.3.2.7), which decoders pass
over. Pictures are small, as decoding would take no time of the virtual clock at any size.
"""

from __future__ import annotations

from struct import pack

__all__ = ["CONFIGURATION", "FRAMES_PER_S", "HEIGHT", "WIDTH", "sample"]

WIDTH, HEIGHT = 160, 96
"""Whole macroblocks, so that nothing is cropped."""
FRAMES_PER_S = 10
"""Each costs Chromium time to decode and to draw."""
_MACROBLOCKS = WIDTH * HEIGHT // 256
_LENGTH_BYTES = 4
_SLICE, _IDR, _SPS, _PPS, _FILLER = 0x41, 0x65, 0x67, 0x68, b"\x0c"
_FRAME_NUM_BITS = 4


class _Bits:
    """What follows the first byte of a NAL unit, a bit at a time (section 7.2)."""

    def __init__(self) -> None:
        self._bits = ""

    def u(self, bits: int, value: int) -> _Bits:
        """Unsigned, in so many bits."""
        self._bits += f"{value:0{bits}b}"
        return self

    def ue(self, *values: int) -> _Bits:
        """Exp-Golomb codes (section 9.1)."""
        for value in values:
            code = f"{value + 1:b}"
            self._bits += "0" * (len(code) - 1) + code
        return self

    def unit(self, kind: int) -> bytes:
        """The NAL unit, with its trailing bits and what keeps start codes out (section 7.4.1.1)."""
        bits = self._bits + "1"
        bits += "0" * (-len(bits) % 8)
        raw = int(bits, 2).to_bytes(len(bits) // 8, "big")
        held, zeros = bytearray((kind,)), 0
        for byte in raw:
            if zeros >= 2 and byte <= 3:
                held.append(3)
                zeros = 0
            held.append(byte)
            zeros = zeros + 1 if byte == 0 else 0
        return bytes(held)


def _sequence() -> bytes:
    """Section 7.3.2.1.1: High profile, level 4.0, 4:2:0 with 8 bits, output in decoding order."""
    high, level, chroma, order_type, references = 100, 40, 1, 2, 1
    bits = _Bits().u(8, high).u(8, 0).u(8, level)
    bits.ue(0, chroma, 0, 0).u(1, 0).u(1, 0)
    bits.ue(_FRAME_NUM_BITS - 4, order_type, references).u(1, 0)
    bits.ue(WIDTH // 16 - 1, HEIGHT // 16 - 1)
    frames_only, direct_8x8, cropped, vui = 1, 1, 0, 0
    return bits.u(1, frames_only).u(1, direct_8x8).u(1, cropped).u(1, vui).unit(_SPS)


def _picture() -> bytes:
    """Section 7.3.2.2: CAVLC, one slice group, deblocking told by each slice."""
    bits = _Bits().ue(0, 0).u(1, 0).u(1, 0).ue(0, 0, 0).u(1, 0).u(2, 0)
    return bits.ue(0, 0, 0).u(1, 1).u(1, 0).u(1, 0).unit(_PPS)


def _configuration() -> bytes:
    """Of the decoder (ISO/IEC 14496-15, section 5.3.3)."""
    sequence, picture = _sequence(), _picture()
    parts = pack(">BH", 0xE1, len(sequence)) + sequence + pack(">BH", 1, len(picture)) + picture
    high = bytes((0xFC | 1, 0xF8, 0xF8, 0))  # chroma format, bit depths, no more parameter sets
    return bytes((1, *sequence[1:4], 0xFC | _LENGTH_BYTES - 1)) + parts + high


CONFIGURATION = _configuration()
"""The content of a box avcC."""


def _intra() -> bytes:
    """Sections 7.3.3 and 7.3.5: each macroblock is predicted by its neighbours' mean."""
    slice_type, no_deblocking, predicted_by_mean = 7, 1, 3
    bits = _Bits().ue(0, slice_type, 0).u(_FRAME_NUM_BITS, 0).ue(0).u(1, 0).u(1, 0)
    bits.ue(0, no_deblocking)
    for _ in range(_MACROBLOCKS):
        # Its type, chroma by the mean, no change of the quantiser, no coefficient.
        bits.ue(predicted_by_mean, 0, 0).u(1, 1)
    return bits.unit(_IDR)


def _skipped(number: int) -> bytes:
    """The picture before, once more. number: frame_num, since the intra picture."""
    slice_type, no_deblocking = 5, 1
    bits = _Bits().ue(0, slice_type, 0).u(_FRAME_NUM_BITS, number)
    bits.u(1, 0).u(1, 0).u(1, 0).ue(0, no_deblocking, _MACROBLOCKS)
    return bits.unit(_SLICE)


_INTRA = _intra()
_SKIPPED = [_skipped(number) for number in range(1 << _FRAME_NUM_BITS)]


def sample(number: int, size_bytes: int) -> bytes:
    """The beginning of a picture's sample; what is left of size_bytes are zeros.

    number: since the intra picture. Raises ValueError where the picture has no room.
    """
    unit = _SKIPPED[number % len(_SKIPPED)] if number else _INTRA
    picture = pack(">I", len(unit)) + unit
    filler_bytes = size_bytes - len(picture) - _LENGTH_BYTES
    if filler_bytes < len(_FILLER):
        raise ValueError(f"a picture of {size_bytes} bytes has no room for itself")
    return picture + pack(">I", filler_bytes) + _FILLER
