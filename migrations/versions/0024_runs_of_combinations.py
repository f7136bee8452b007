"""Runs of some combinations are found by an index: a page of them looked at all runs."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_NAME = "ix_run_campaign_id_combination_position"


def upgrade() -> None:
    op.create_index(op.f(_NAME), "run", ["campaign_id", "combination", "position"])


def downgrade() -> None:
    op.drop_index(op.f(_NAME), "run")
