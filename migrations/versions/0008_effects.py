"""Schedules say themselves from which difference on a metric matters."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    effects = sa.Column("effects", sa.JSON(none_as_null=True), server_default="{}", nullable=False)
    op.add_column("schedule", effects)


def downgrade() -> None:
    op.drop_column("schedule", "effects")
