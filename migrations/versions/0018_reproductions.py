"""Runs of cards are carried out again, and compared with what is stored of them."""

import sqlalchemy as sa
from alembic import op
from weir_orchestrator.db.base import UtcDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "run", sa.Column("certifies", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "reproduction",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("card_id", sa.Uuid(), nullable=False),
        sa.Column("campaigns", sa.JSON(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("left_out", sa.JSON(), nullable=False),
        sa.Column("same", sa.Integer(), nullable=False),
        sa.Column("differing", sa.JSON(), nullable=False),
        sa.Column("failed", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["card_id"], ["card.id"], name=op.f("fk_reproduction_card_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"],
            ["user.id"],
            name=op.f("fk_reproduction_created_by"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reproduction")),
    )
    op.create_index(
        op.f("ix_reproduction_card_id_created_at_id"),
        "reproduction",
        ["card_id", "created_at", "id"],
    )
    op.create_index(op.f("ix_reproduction_ended_at"), "reproduction", ["ended_at"])
    op.create_table(
        "certificate",
        sa.Column(
            "run_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("differing", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.id"], name=op.f("fk_certificate_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_certificate")),
    )


def downgrade() -> None:
    op.drop_table("certificate")
    op.drop_table("reproduction")
    op.drop_column("run", "certifies")
