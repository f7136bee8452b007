"""dash.js as a player: which versions there are, and which settings each one knows.

Each VERSION.json here pins a package of the npm registry by its hash, and lists the settings that
it starts with (tools/players/pin.cjs writes it). Standard library only: agents import this, too.
"""

from weir.dashjs.package import PINNED, VERSIONS
from weir.dashjs.settings import buffer_most_s, leaves, mistyped, nested, types_of, unknown

__all__ = [
    "PINNED",
    "VERSIONS",
    "buffer_most_s",
    "leaves",
    "mistyped",
    "nested",
    "types_of",
    "unknown",
]
