"""What clients that are Chromium, and the film that they decode, take of guests' memory, in MiB."""

from __future__ import annotations

import math
from typing import Final

from weir.programs import buffer_most_s, has_chromium, needs_chromium
from weir.resolved import CHROMIUM, Experiment
from weir_server import mpd

__all__ = ["film_mib", "more_mib"]

_BROWSER_MIB: Final = 250
"""About twice what one took that played 20 s at 8 Mbit/s: 130 MiB that cannot be reclaimed. Its
code, 140 MiB of files, is read again where there is no room for it."""
_KEPT_MIB: Final = 150
"""Media that Chromium keeps of a video at most (media/base/demuxer_memory_limit_default.cc)."""
_MIB: Final = 2**20


def more_mib(experiment: Experiment) -> int:
    """What a guest needs for them beside what every program does; 0 without such clients."""
    return _browsers_mib(experiment) + film_mib(experiment)


def film_mib(experiment: Experiment) -> int:
    """Of the film, in the server's guest."""
    film = mpd.film(experiment) if has_chromium(experiment) else None
    return math.ceil(mpd.memory_bytes(film) / _MIB) if film else 0


def _browsers_mib(experiment: Experiment) -> int:
    """Of the browsers, which on the real clock are in no guest."""
    film = mpd.film(experiment) if needs_chromium(experiment) else None
    if film is None:
        return 0
    most_bytes_per_s = max(map(max, film["segment_bytes"])) / film["segment_s"]
    browsers = [client for client in experiment["clients"] if client["player"] == CHROMIUM]
    kept_mib = (most_bytes_per_s * buffer_most_s(client) / _MIB for client in browsers)
    return sum(_BROWSER_MIB + math.ceil(min(_KEPT_MIB, kept)) for kept in kept_mib)
