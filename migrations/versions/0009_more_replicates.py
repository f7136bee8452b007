"""Nights that cannot tell get more replicates, up to what their schedule says."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    most = sa.Column("most_replicates", sa.Integer(), server_default="0", nullable=False)
    op.add_column("schedule", most)
    op.create_table(
        "more_replicates",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("baseline_id", sa.Uuid(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["baseline_id"],
            ["campaign.id"],
            name=op.f("fk_more_replicates_baseline_id_campaign"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_more_replicates_campaign_id_campaign"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_more_replicates")),
    )
    op.create_index(op.f("ix_more_replicates_baseline_id"), "more_replicates", ["baseline_id"])


def downgrade() -> None:
    op.drop_table("more_replicates")
    op.drop_column("schedule", "most_replicates")
