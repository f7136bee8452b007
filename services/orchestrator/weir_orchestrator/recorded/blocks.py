"""The runs of a large campaign's blocks, as columns (`weir_orchestrator.db.blocks`)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BigInteger, ColumnElement, and_, case, func, literal, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Block, BlockValues, Run
from weir_orchestrator.db.engine import BINARY

__all__ = ["InBlocks", "in_blocks"]

_BYTES: Final = 8
"""Of a number."""


class InBlocks(NamedTuple):
    """Of runs that succeeded, in the campaign's order. columns: (n,) int64 each, as in `Block`.
    values: (n,) float64; NaN: it has none. end: these are of the runs at positions below it."""

    columns: dict[str, NDArray[np.int64]]
    values: NDArray[np.float64]
    end: int

    def later(self) -> ColumnElement[bool]:
        """What the campaign's other runs fulfil. The position stands in the statement: for any,
        which is how Postgres plans what it was asked often, it would look at all runs."""
        return Run.position >= literal(self.end, BigInteger, literal_execute=True)


def in_blocks(
    session: Session, campaign_id: uuid.UUID, metric_id: int, rank: int, names: Sequence[str]
) -> InBlocks:
    """A metric of the campaign's first runs, as far as there are blocks of them.

    rank: see `Block`. names: of its columns that are wanted, one at least.
    """
    value = and_(
        BlockValues.campaign_id == Block.campaign_id,
        BlockValues.number == Block.number,
        BlockValues.rank == rank,
        BlockValues.metric_id == metric_id,
    )
    query = (
        select(Block.number, Block.end, Block.position.is_not(None), BlockValues.packed)
        .add_columns(*(_read(each) for each in names))
        .outerjoin(BlockValues, value)
        .where(Block.campaign_id == campaign_id)
        .order_by(Block.number)
    )
    columns = {each: [np.zeros(0, np.int64)] for each in names}
    values = [np.zeros(0)]
    end = 0
    rows = session.execute(query, execution_options=BINARY)
    for place, (number, own_end, is_made, packed_values, *packed) in enumerate(rows):
        if number != place or not is_made:
            break
        for each, own in zip(names, packed, strict=True):
            columns[each].append(
                np.arange(end, own_end) if own is None else np.frombuffer(own, np.int64)
            )
        none = np.full(len(columns[names[0]][-1]), np.nan)
        values.append(none if packed_values is None else np.frombuffer(packed_values))
        end = own_end
    whole = {each: np.concatenate(parts) for each, parts in columns.items()}
    return InBlocks(whole, np.concatenate(values), end)


def _read(name: str) -> ColumnElement[bytes]:
    """A block's column; null: the positions from where it begins to its end, as all succeeded."""
    column: ColumnElement[bytes] = getattr(Block, name)
    if name != "position":
        return column
    begins = func.coalesce(func.lag(Block.end).over(order_by=Block.number), 0)
    return case((func.length(column) != _BYTES * (Block.end - begins), column))
