"""The commit that made a night worse is looked for."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def _refers(column: str, table: str, ondelete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_bisection_{column}_{table}")
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], name=name, ondelete=ondelete)


def upgrade() -> None:
    op.create_table(
        "bisection",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("good_id", sa.Uuid(), nullable=False),
        sa.Column("bad_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("commits", sa.JSON(), nullable=False),
        sa.Column("low", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("worse", sa.JSON(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=True),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        _refers("schedule_id", "schedule", "CASCADE"),
        _refers("good_id", "campaign", "CASCADE"),
        _refers("bad_id", "campaign", "CASCADE"),
        _refers("campaign_id", "campaign", "SET NULL"),
        _refers("created_by", "user", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bisection")),
    )
    op.create_index(op.f("ix_bisection_schedule_id"), "bisection", ["schedule_id"])
    op.create_index(op.f("ix_bisection_state"), "bisection", ["state"])


def downgrade() -> None:
    op.drop_table("bisection")
