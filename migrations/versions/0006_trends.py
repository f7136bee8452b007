"""Each metric of each combination is kept over the nights of a schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "trend",
        sa.Column("id", _BIG, autoincrement=True, nullable=False),
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("combination", sa.String(length=16), nullable=False),
        sa.Column("metric", sa.String(length=100), nullable=False),
        sa.Column("levels", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["schedule_id"],
            ["schedule.id"],
            name=op.f("fk_trend_schedule_id_schedule"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trend")),
        sa.UniqueConstraint(
            "schedule_id",
            "combination",
            "metric",
            name=op.f("uq_trend_schedule_id_combination_metric"),
        ),
    )
    op.create_table(
        "trend_point",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("trend_id", _BIG, nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("verdict", sa.String(length=12), nullable=False),
        sa.Column("before", sa.Float(), nullable=True),
        sa.Column("difference", sa.Float(), nullable=True),
        sa.Column("replicates", sa.Integer(), nullable=True),
        sa.Column("since_id", sa.Uuid(), nullable=False),
        sa.Column("mark", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["night.campaign_id"],
            name=op.f("fk_trend_point_campaign_id_night"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["trend_id"],
            ["trend.id"],
            name=op.f("fk_trend_point_trend_id_trend"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "trend_id", name=op.f("pk_trend_point")),
    )
    op.create_index(op.f("ix_trend_point_trend_id"), "trend_point", ["trend_id"])


def downgrade() -> None:
    op.drop_table("trend_point")
    op.drop_table("trend")
