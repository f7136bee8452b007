"""Columns of large campaigns' runs; the housekeeper makes them of what is there."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None
COLUMNS = ("position", "run", "combination", "seed", "digest")


def upgrade() -> None:
    op.create_table(
        "block",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("end", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.LargeBinary(), nullable=True) for name in COLUMNS),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name=op.f("fk_block_campaign_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("campaign_id", "number", name=op.f("pk_block")),
    )
    op.create_table(
        "block_values",
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("rank", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("metric_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "number"],
            ["block.campaign_id", "block.number"],
            name=op.f("fk_block_values_campaign_id_number"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "campaign_id", "rank", "metric_id", "number", name=op.f("pk_block_values")
        ),
    )
    if op.get_bind().dialect.name == "postgresql":
        # Numbers hardly compress, and trying to takes longer than reading them.
        for name in COLUMNS:
            op.execute(f"ALTER TABLE block ALTER COLUMN {name} SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE block_values ALTER COLUMN packed SET STORAGE EXTERNAL")


def downgrade() -> None:
    op.drop_table("block_values")
    op.drop_table("block")
