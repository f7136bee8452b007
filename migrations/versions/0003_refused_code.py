"""Workers say why they do not run code that campaigns bring."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("worker", sa.Column("refusal", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("worker", "refusal")
