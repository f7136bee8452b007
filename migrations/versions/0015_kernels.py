"""Combinations may have kernels of their own; workers tell which one they build."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("combination", sa.Column("kernel_hash", sa.String(length=64)))
    op.add_column("worker", sa.Column("building", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("worker", "building")
    op.drop_column("combination", "kernel_hash")
