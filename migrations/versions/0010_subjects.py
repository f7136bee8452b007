"""Campaigns keep which version of a file is under test."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    subjects = sa.Column(
        "subjects", sa.JSON(none_as_null=True), server_default="{}", nullable=False
    )
    op.add_column("campaign", subjects)


def downgrade() -> None:
    op.drop_column("campaign", "subjects")
