"""Schedules tell members of nights that are worse by e-mail."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    to = sa.Column("mail_to", sa.JSON(), server_default="[]", nullable=False)
    op.add_column("schedule", to)
    op.create_table(
        "mail",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("schedule_id", sa.Uuid(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("told", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["schedule_id"],
            ["schedule.id"],
            name=op.f("fk_mail_schedule_id_schedule"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
    )
    op.create_index(op.f("ix_mail_schedule_id"), "mail", ["schedule_id"])
    op.create_index(op.f("ix_mail_state_next_at"), "mail", ["state", "next_at"])


def downgrade() -> None:
    op.drop_table("mail")
    op.drop_column("schedule", "mail_to")
