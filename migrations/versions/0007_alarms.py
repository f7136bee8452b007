"""A trend that is worse than the baseline has an alarm until it is good again."""

import sqlalchemy as sa
from alembic import op
from weir_orchestrator.db.base import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OPEN = sa.text("closed_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "alarm",
        sa.Column("id", _BIG, autoincrement=True, nullable=False),
        sa.Column("trend_id", _BIG, nullable=False),
        sa.Column("opened_by", sa.Uuid(), nullable=False),
        sa.Column("worse_in", sa.Uuid(), nullable=False),
        sa.Column("closed_by", sa.Uuid(), nullable=True),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.Column("acknowledged_by", sa.Uuid(), nullable=True),
        sa.Column("acknowledged_at", UtcDateTime(), nullable=True),
        sa.Column("muted_until", UtcDateTime(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trend_id"],
            ["trend.id"],
            name=op.f("fk_alarm_trend_id_trend"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["acknowledged_by"],
            ["user.id"],
            name=op.f("fk_alarm_acknowledged_by_user"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alarm")),
    )
    op.create_index(op.f("ix_alarm_trend_id_id"), "alarm", ["trend_id", "id"])
    op.create_index(
        "uq_alarm_open",
        "alarm",
        ["trend_id"],
        unique=True,
        postgresql_where=_OPEN,
        sqlite_where=_OPEN,
    )


def downgrade() -> None:
    op.drop_table("alarm")
