"""The unit of a search's levels as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from weir import units
from weir.spec.search import Search
from weir.spec.search_levels import levels_of

__all__ = ["found_unit", "unit_of"]

# In the order in which a quantity is read.
_SI: Final = ((units.RATE, "bit/s"), (units.DURATION, "s"), (units.SIZE, "bytes"))
_BDP: Final = "bdp"


def unit_of(search: Search) -> str:
    """That of `number_of` of its levels: `bit/s` where they begin at 1Mbit/s; empty: they are whole
    numbers, or shares of one."""
    written = levels_of(search).unit
    return next((si for kind, si in _SI if written in kind.units), _BDP if written == _BDP else "")


def found_unit(spec: Mapping[str, Any]) -> str:
    """`unit_of` a campaign's search, by its document; empty, too, where it searches nothing."""
    asked = spec.get("search")
    return unit_of(Search.model_validate(asked)) if asked else ""
