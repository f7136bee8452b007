"""`weir admin`: the first administrator, and passwords that were forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from weir_engine.errors import BadInput

from weir_orchestrator.cli.common import StdinOption, output, read_password
from weir_orchestrator.cli.platform.extra import needs_server
from weir_orchestrator.cli.platform.settings import (
    DatabaseOption,
    DataOption,
    open_database,
    read_settings,
)

if TYPE_CHECKING:
    from pydantic import BaseModel
    from sqlalchemy.orm import Session

    from weir_orchestrator.api.access import Principal
    from weir_orchestrator.settings import Settings

__all__ = ["app"]

Model = TypeVar("Model", bound="BaseModel")

app = typer.Typer(help="Administrators of the platform.", no_args_is_help=True)

EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="What one signs in with.")]


@app.command()
@needs_server
def create(
    email: EmailArgument,
    name: Annotated[str | None, typer.Option("--name", help="For people to read.")] = None,
    password_stdin: StdinOption = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Make a user who administers the installation: users, teams, quotas."""
    from weir_orchestrator.api.users import service  # noqa: PLC0415 - slow to import
    from weir_orchestrator.api.users.schemas import NewUser  # noqa: PLC0415

    given = {"email": email, "name": name or email, "is_admin": True}
    _checked(NewUser, given)
    new = _checked(NewUser, {**given, "password": read_password(password_stdin, new=True)})
    with _deed(read_settings(data=data, database=database)) as (session, who):
        service.make(session, who, new)
    output.print(f"{new.email} administers this platform", markup=False)


@app.command()
@needs_server
def password(
    email: EmailArgument,
    password_stdin: StdinOption = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Give a user a new password, let the user in again, and end the user's sessions."""
    from weir_orchestrator.api.users import service  # noqa: PLC0415 - slow to import
    from weir_orchestrator.api.users.schemas import UserChange  # noqa: PLC0415

    asked = _checked(
        UserChange, {"password": read_password(password_stdin, new=True), "disabled": False}
    )
    with _deed(read_settings(data=data, database=database)) as (session, who):
        user = service.by_email(session, email.lower())
        if user is None:
            raise BadInput(f"EMAIL: {email} — allowed: the address of a user")
        service.change(session, who, user.id, asked)
    output.print(f"{email.lower()} has a new password", markup=False)


def _checked(model: type[Model], given: dict[str, object]) -> Model:
    """Raises BadInput, which repeats no password."""
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        raise BadInput("; ".join(problems)) from None


@contextmanager
def _deed(settings: Settings) -> Iterator[tuple[Session, Principal]]:
    """A transaction on a database whose schema is there, and who does it."""
    from weir_orchestrator.api.access import Principal  # noqa: PLC0415
    from weir_orchestrator.db import make_sessions, schema  # noqa: PLC0415
    from weir_orchestrator.errors import ApiError  # noqa: PLC0415

    engine = open_database(settings)
    schema.check(engine)
    try:
        with make_sessions(engine).begin() as session:
            yield session, Principal(user_id=None, is_admin=True, address="weir admin")
    except ApiError as error:
        raise BadInput(error.detail) from None
    finally:
        engine.dispose()
