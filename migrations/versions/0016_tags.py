"""Campaigns have tags and notes, and may be archived."""

import sqlalchemy as sa
from alembic import op
from weir_orchestrator.db.base import UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("campaign", sa.Column("notes", sa.Text(), server_default="", nullable=False))
    op.add_column("campaign", sa.Column("archived_at", UtcDateTime(), nullable=True))
    op.create_table(
        "campaign_tag",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("tag", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaign.id"],
            name=op.f("fk_campaign_tag_campaign_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "tag", name=op.f("pk_campaign_tag")),
    )


def downgrade() -> None:
    op.drop_table("campaign_tag")
    op.drop_column("campaign", "archived_at")
    op.drop_column("campaign", "notes")
