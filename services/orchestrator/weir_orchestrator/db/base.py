"""What models share: naming of constraints, portable types, short ways to declare columns."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Double,
    Integer,
    MetaData,
    Text,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeEngine

__all__ = [
    "Base",
    "BigId",
    "Json",
    "Numbers",
    "Told",
    "UtcDateTime",
    "UuidId",
    "printable",
    "utc_now",
]

LONGEST_TOLD: Final = 10_000


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time in UTC, also on SQLite, which stores no zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError(f"a time without zone: {value!r}")
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Told(TypeDecorator[str]):
    """What a run, a role or another program said: any text, made such that every database takes
    it (Postgres no NUL, no encoding a surrogate), and cut where it is longer than anyone reads."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else printable(value)


def printable(text: str) -> str:
    """The text as `Told` keeps it; of kept text the same."""
    cut = text if len(text) <= LONGEST_TOLD else f"{text[: LONGEST_TOLD - 1]}…"
    return cut.replace("\0", "\N{SYMBOL FOR NULL}").encode(errors="replace").decode()


class Numbers(TypeDecorator[list[float | None]]):
    """Numbers of which some are unknown, by position: an array, on SQLite a JSON text.

    One by its position: `weir_orchestrator.db.dialect.number_at`.
    """

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        array = dialect.name == "postgresql"
        return dialect.type_descriptor(ARRAY(Double()) if array else JSON())

    @staticmethod
    def literal(numbers: list[float | None]) -> str:
        """As Postgres reads an array: a text is made in a third of the time of a list's parts."""
        return f"{{{','.join(['NULL' if each is None else repr(each) for each in numbers])}}}"


class Base(DeclarativeBase):
    """All models. Constraints have names, so that migrations can change them on SQLite, too."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    # JSON and not JSONB: what was written is read back in its order. None is SQL's NULL.
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own form
        datetime: UtcDateTime(),
        dict[str, Any]: JSON(none_as_null=True),
        list[Any]: JSON(),
        list[str]: JSON(),
    }


Json = dict[str, Any]
UuidId = Annotated[uuid.UUID, mapped_column(primary_key=True, default=uuid.uuid4)]
BigId = Annotated[
    int,
    mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    ),
]
