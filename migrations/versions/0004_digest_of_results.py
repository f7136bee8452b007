"""Results keep a digest of their metrics, by which equal runs are counted once."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_AT_ONCE = 500


def upgrade() -> None:
    op.add_column(
        "result", sa.Column("digest", sa.BigInteger(), server_default="0", nullable=False)
    )
    result = sa.table(
        "result",
        sa.column("id", sa.BigInteger),
        sa.column("metrics", sa.JSON),
        sa.column("digest", sa.BigInteger),
    )
    kept = sa.select(result.c.id, result.c.metrics).order_by(result.c.id).limit(_AT_ONCE)
    connection, last = op.get_bind(), 0
    told = sa.update(result).where(result.c.id == sa.bindparam("of"))
    while rows := connection.execute(kept.where(result.c.id > last)).all():
        own = [{"of": number, "digest": _digest(metrics)} for number, metrics in rows]
        connection.execute(told, own)
        last = rows[-1].id


def _digest(metrics):
    line = json.dumps(metrics, ensure_ascii=False, allow_nan=False)
    return int.from_bytes(hashlib.sha256(line.encode()).digest()[:8], "big") >> 1


def downgrade() -> None:
    op.drop_column("result", "digest")
