"""Small run directories that end together share an object, of which a result names its part."""

import sqlalchemy as sa
from alembic import op
from weir_engine.errors import CannotRun

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_SHARED = sa.text("pack_id IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "pack",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removing", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pack")),
    )
    # As one statement on SQLite, too: a table made anew would take along what refers to it.
    kind = sa.Uuid().compile(op.get_bind().dialect)
    refers = f"CONSTRAINT {op.f('fk_result_pack_id')} REFERENCES pack (id)"
    op.execute(f"ALTER TABLE result ADD COLUMN pack_id {kind} {refers}")
    op.add_column("result", sa.Column("pack_start", sa.BigInteger(), nullable=True))
    op.create_index(
        op.f("ix_result_pack_id"),
        "result",
        ["pack_id"],
        postgresql_where=_SHARED,
        sqlite_where=_SHARED,
    )


def downgrade() -> None:
    shared = op.get_bind().scalar(sa.text(f"SELECT count(*) FROM result WHERE {_SHARED}"))
    if shared:
        raise CannotRun(
            f"the run directories of {shared} results share objects, which an older version does "
            "not find: delete the campaigns that they are of, wait until the housekeeper has "
            "removed them (WEIR_KEEP_UNUSED), or keep this version."
        )
    op.drop_index(op.f("ix_result_pack_id"), "result")
    op.drop_column("result", "pack_start")
    op.drop_column("result", "pack_id")
    op.drop_table("pack")
