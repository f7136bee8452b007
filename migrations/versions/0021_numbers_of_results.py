"""The numbers of a result are arrays, one of the run and one of each client, and no row each."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_AT_ONCE = 500
_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_NOT_METRICS = {"client", "rank"}
_result = sa.table("result", sa.column("id", sa.BigInteger), sa.column("metrics", sa.JSON))
_metric = sa.table("metric", sa.column("id", sa.Integer), sa.column("name", sa.String))


def upgrade() -> None:
    op.drop_table("metric_value")
    op.drop_table("metric")
    _create_metric(autoincrement=False)
    numbers = sa.ARRAY(sa.Double()).with_variant(sa.JSON(), "sqlite")
    op.create_table(
        "result_values",
        sa.Column("result_id", _ID, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("numbers", numbers, nullable=False),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["result.id"],
            name=op.f("fk_result_values_result_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("rank", "result_id", name=op.f("pk_result_values")),
    )
    op.create_index(op.f("ix_result_values_result_id"), "result_values", ["result_id"])
    table = sa.table(
        "result_values",
        *(sa.column("result_id"), sa.column("rank"), sa.column("numbers", numbers)),
    )
    _fill(
        table,
        lambda result_id, rank, values, ids: [
            {"result_id": result_id, "rank": rank, "numbers": _placed(values, ids)}
        ],
    )


def downgrade() -> None:
    op.drop_table("result_values")
    op.drop_table("metric")
    _create_metric(autoincrement=True)
    op.create_table(
        "metric_value",
        sa.Column("metric_id", sa.Integer(), nullable=False),
        sa.Column("result_id", _ID, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["metric_id"], ["metric.id"], name=op.f("fk_metric_value_metric_id")
        ),
        sa.ForeignKeyConstraint(
            ["result_id"], ["result.id"], name=op.f("fk_metric_value_result_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "metric_id",
            "rank",
            "result_id",
            name=op.f("pk_metric_value"),
            postgresql_include=["value"],
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_metric_value_result_id"), "metric_value", ["result_id"])
    table = sa.table("metric_value", *map(sa.column, ("metric_id", "result_id", "rank", "value")))
    _fill(
        table,
        lambda result_id, rank, values, ids: [
            {"metric_id": ids[name], "result_id": result_id, "rank": rank, "value": value}
            for name, value in values.items()
        ],
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT setval('metric_id_seq', (SELECT max(id) FROM metric))")


def _create_metric(*, autoincrement):
    op.create_table(
        "metric",
        sa.Column("id", sa.Integer(), autoincrement=autoincrement, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metric")),
        sa.UniqueConstraint("name", name=op.f("uq_metric_name")),
    )


def _fill(table, rows_of):
    """From metrics.json of each result, which holds all numbers of both."""
    connection, last, ids = op.get_bind(), 0, {}
    kept = sa.select(_result).order_by(_result.c.id).limit(_AT_ONCE)
    while results := connection.execute(kept.where(_result.c.id > last)).all():
        found = [
            (result_id, rank, values)
            for result_id, metrics in results
            for rank, values in _by_rank(metrics)
        ]
        names = {name for _, _, values in found for name in values}
        if new := sorted(names - ids.keys()):
            added = {name: number for number, name in enumerate(new, len(ids) + 1)}
            named = [{"id": number, "name": name} for name, number in added.items()]
            connection.execute(_metric.insert(), named)
            ids |= added
        if rows := [row for one in found for row in rows_of(*one, ids)]:
            connection.execute(table.insert(), rows)
        last = results[-1].id


def _by_rank(metrics):
    ranked = [(0, metrics.get("run", {}))]
    ranked += [(each["rank"], each) for each in metrics.get("clients", [])]
    for rank, entry in ranked:
        values = {
            name: float(value)
            for name, value in entry.items()
            if name not in _NOT_METRICS and value is not None
        }
        if values:
            yield rank, values


def _placed(values, ids):
    placed = [None] * max(ids[name] for name in values)
    for name, value in values.items():
        placed[ids[name] - 1] = value
    return placed
