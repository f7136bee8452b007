"""The runs of a large campaign's blocks, as columns (`weir_orchestrator.db.blocks`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from operator import attrgetter
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Select, and_, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Block, BlockValues
from weir_orchestrator.db.blocks import MadeBlock, behind, made_blocks
from weir_orchestrator.db.engine import BINARY

__all__ = ["InBlocks", "Place", "in_blocks"]

_MOST_BYTES: Final = 128 * 2**20
"""Of all columns that are kept: of a million runs each has eight."""


class Place(NamedTuple):
    """A metric's, in the arrays of results. rank: of those that have it, as in `BlockValues`.
    metric_id: 0: no run has had it yet."""

    rank: int
    metric_id: int


class InBlocks(NamedTuple):
    """Of runs that succeeded, in the campaign's order; read only, as others have them too.

    columns: (n,) int64 each, as in `Block`. values: (n,) float64; NaN: it has none. end: these are
    of the runs at positions below it.
    """

    columns: dict[str, NDArray[np.int64]]
    values: NDArray[np.float64]
    end: int

    def later(self) -> ColumnElement[bool]:
        """What the campaign's other runs fulfil."""
        return behind(self.end)


_Wanted: TypeAlias = str | Place
"""A column of `Block`, or of `BlockValues`."""


class _ChangedError(Exception):
    """Blocks were removed since it was looked which there are."""


def in_blocks(
    session: Session, campaign_id: uuid.UUID, place: Place, names: Sequence[str]
) -> InBlocks:
    """A metric of the campaign's first runs, as far as there are blocks of them.

    names: of the columns of `Block` that are wanted.
    """
    while True:
        blocks = made_blocks(session, [campaign_id])[campaign_id]
        if not blocks:
            return InBlocks(dict.fromkeys(names, np.zeros(0, np.int64)), np.zeros(0), 0)
        wanted: list[_Wanted] = [*names, place]
        try:
            *found, values = (_column(session, campaign_id, blocks, each) for each in wanted)
        except _ChangedError:
            continue
        return InBlocks(dict(zip(names, found, strict=True)), values, blocks[-1].end)


@cached(
    LRUCache(_MOST_BYTES, getsizeof=attrgetter("nbytes")),
    key=lambda _session, campaign_id, blocks, wanted: (campaign_id, blocks, wanted),
    lock=Lock(),
)
def _column(
    session: Session, campaign_id: uuid.UUID, blocks: tuple[MadeBlock, ...], wanted: _Wanted
) -> NDArray[Any]:
    """(n,) of these blocks. Raises _ChangedError."""
    query = _packed(campaign_id, wanted).limit(len(blocks))
    rows = session.execute(query, execution_options=BINARY).all()
    if [made_at for made_at, _ in rows] != [each.made_at for each in blocks]:
        raise _ChangedError
    kind = np.int64 if isinstance(wanted, str) else np.float64
    parts = [
        np.full(block.succeeded, np.nan) if packed is None else np.frombuffer(packed, kind)
        for block, (_, packed) in zip(blocks, rows, strict=True)
    ]
    whole = np.concatenate(parts)
    whole.flags.writeable = False
    return whole


def _packed(campaign_id: uuid.UUID, wanted: _Wanted) -> Select[Any]:
    """When each block was made, and the wanted column of it; null: values that none of its runs
    has."""
    made = (Block.campaign_id == campaign_id, Block.run.is_not(None))
    query = select(Block.made_at).where(*made).order_by(Block.number)
    if isinstance(wanted, str):
        return query.add_columns(getattr(Block, wanted))
    own = and_(
        BlockValues.campaign_id == Block.campaign_id,
        BlockValues.number == Block.number,
        BlockValues.rank == wanted.rank,
        BlockValues.metric_id == wanted.metric_id,
    )
    return query.add_columns(BlockValues.packed).outerjoin(BlockValues, own)
