"""Runs in a state that are behind a campaign's blocks are found by an index, without all others."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_BEFORE = "ix_run_campaign_id_state"
_NOW = "ix_run_campaign_id_state_position"


def upgrade() -> None:
    op.create_index(op.f(_NOW), "run", ["campaign_id", "state", "position"])
    op.drop_index(op.f(_BEFORE), "run")


def downgrade() -> None:
    op.create_index(op.f(_BEFORE), "run", ["campaign_id", "state"])
    op.drop_index(op.f(_NOW), "run")
