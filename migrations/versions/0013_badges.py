"""A schedule's newest verdict as a picture, at an address that nobody guesses."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("schedule", sa.Column("badge", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_schedule_badge"), "schedule", ["badge"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_schedule_badge"), "schedule")
    op.drop_column("schedule", "badge")
