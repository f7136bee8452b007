"""The runs of a large campaign's blocks, as columns (`weir_orchestrator.db.blocks`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray
from sqlalchemy import BigInteger, ColumnElement, Select, and_, func, literal, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Block, BlockValues, Run
from weir_orchestrator.db.engine import BINARY

__all__ = ["InBlocks", "Place", "in_blocks"]

_MOST_BYTES: Final = 128 * 2**20
"""Of all columns that are kept: of a million runs each has eight."""
_BYTES: Final = 8
"""Of a number."""


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
        """What the campaign's other runs fulfil. The position stands in the statement: for any,
        which is how Postgres plans what it was asked often, it would look at all runs."""
        return Run.position >= literal(self.end, BigInteger, literal_execute=True)


class _Made(NamedTuple):
    """A block that is made. It is never written to again: whoever changes its runs removes it."""

    made_at: datetime
    end: int


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
        blocks = _made(session, campaign_id)
        if not blocks:
            return InBlocks(dict.fromkeys(names, np.zeros(0, np.int64)), np.zeros(0), 0)
        wanted: list[_Wanted] = [*names, place]
        try:
            *found, values = (_column(session, campaign_id, blocks, each) for each in wanted)
        except _ChangedError:
            continue
        return InBlocks(dict(zip(names, found, strict=True)), values, blocks[-1].end)


def _made(session: Session, campaign_id: uuid.UUID) -> tuple[_Made, ...]:
    """From the first on, without a gap."""
    query = _of_made(campaign_id, Block.number, Block.made_at, Block.end)
    return tuple(
        _Made(made_at, end)
        for place, (number, made_at, end) in enumerate(session.execute(query))
        if number == place
    )


@cached(
    LRUCache(_MOST_BYTES, getsizeof=attrgetter("nbytes")),
    key=lambda _session, campaign_id, blocks, wanted: (campaign_id, blocks, wanted),
    lock=Lock(),
)
def _column(
    session: Session, campaign_id: uuid.UUID, blocks: tuple[_Made, ...], wanted: _Wanted
) -> NDArray[Any]:
    """(n,) of these blocks. Raises _ChangedError."""
    query = _packed(campaign_id, wanted).limit(len(blocks))
    rows = session.execute(query, execution_options=BINARY).all()
    if [made_at for made_at, *_ in rows] != [each.made_at for each in blocks]:
        raise _ChangedError
    kind = np.int64 if isinstance(wanted, str) else np.float64
    parts = [
        np.full(size // _BYTES, np.nan) if packed is None else np.frombuffer(packed, kind)
        for _, size, packed in rows
    ]
    whole = np.concatenate(parts)
    whole.flags.writeable = False
    return whole


def _packed(campaign_id: uuid.UUID, wanted: _Wanted) -> Select[Any]:
    """When each block was made, the bytes of its columns, and the wanted one; null: values that
    none of its runs has."""
    query = _of_made(campaign_id, Block.made_at, func.length(Block.run))
    if isinstance(wanted, str):
        return query.add_columns(getattr(Block, wanted))
    own = and_(
        BlockValues.campaign_id == Block.campaign_id,
        BlockValues.number == Block.number,
        BlockValues.rank == wanted.rank,
        BlockValues.metric_id == wanted.metric_id,
    )
    return query.add_columns(BlockValues.packed).outerjoin(BlockValues, own)


def _of_made(campaign_id: uuid.UUID, *columns: Any) -> Select[Any]:
    """Of each block of the campaign that is made, in order."""
    made = (Block.campaign_id == campaign_id, Block.run.is_not(None))
    return select(*columns).where(*made).order_by(Block.number)
