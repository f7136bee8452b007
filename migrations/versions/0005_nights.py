"""Schedules have baselines, and the campaigns that they submitted are judged against these."""

import sqlalchemy as sa
from alembic import op
from weir_orchestrator.db.base import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "baseline",
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["schedule_id"],
            ["schedule.id"],
            name=op.f("fk_baseline_schedule_id_schedule"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_baseline_campaign_id_campaign"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("schedule_id", name=op.f("pk_baseline")),
    )
    op.create_table(
        "night",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("baseline_id", sa.Uuid(), nullable=True),
        sa.Column("verdict", sa.String(length=12), nullable=False),
        sa.Column("worse", sa.Integer(), nullable=False),
        sa.Column("better", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("combinations", sa.Integer(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_night_campaign_id_campaign"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["baseline_id"],
            ["campaign.id"],
            name=op.f("fk_night_baseline_id_campaign"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_night")),
    )


def downgrade() -> None:
    op.drop_table("night")
    op.drop_table("baseline")
