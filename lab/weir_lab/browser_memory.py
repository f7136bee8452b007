"""What clients that are Chromium, and the film that they decode, take of a guest's memory."""

from __future__ import annotations

import math
from typing import Final

from weir.programs import buffer_most_s
from weir.resolved import CHROMIUM, Experiment
from weir_server import mpd

__all__ = ["browsers_mib"]

_BROWSER_MIB: Final = 250
"""About twice what one took that played 20 s at 8 Mbit/s: 130 MiB that cannot be reclaimed. Its
code, 140 MiB of files, is read again where there is no room for it."""
_KEPT_MIB: Final = 150
"""Media that Chromium keeps of a video at most (media/base/demuxer_memory_limit_default.cc)."""
_MIB: Final = 2**20


def browsers_mib(experiment: Experiment) -> int:
    """MiB beside those of every program; 0 where no client is Chromium."""
    browsers = [client for client in experiment["clients"] if client["player"] == CHROMIUM]
    film = mpd.film(experiment) if browsers else None
    if film is None:
        return 0
    most_bytes_per_s = max(map(max, film["segment_bytes"])) / film["segment_s"]
    kept_mib = (most_bytes_per_s * buffer_most_s(client) / _MIB for client in browsers)
    each_mib = (_BROWSER_MIB + math.ceil(min(_KEPT_MIB, kept)) for kept in kept_mib)
    return sum(each_mib) + math.ceil(mpd.memory_bytes(film) / _MIB)
