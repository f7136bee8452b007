"""Quotas of film and shares of slots; finding whence an account was signed in to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_INDEX = "ix_audit_entry_user_id_action_address"


def upgrade() -> None:
    op.add_column("team", sa.Column("max_film_h", sa.Integer(), nullable=True))
    share = sa.Column("share", sa.Integer(), server_default="1", nullable=False)
    op.add_column("team", share)
    film = sa.Column("asked_film_s", sa.Float(), server_default="0", nullable=False)
    op.add_column("campaign", film)
    op.create_index(_INDEX, "audit_entry", ["user_id", "action", "address"])


def downgrade() -> None:
    op.drop_index(_INDEX, "audit_entry")
    op.drop_column("campaign", "asked_film_s")
    op.drop_column("team", "share")
    op.drop_column("team", "max_film_h")
