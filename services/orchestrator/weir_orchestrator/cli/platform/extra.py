"""What a subcommand of the platform says where only the base of Weir is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from weir_engine.errors import CannotRun

__all__ = ["needs_server"]

P = ParamSpec("P")
T = TypeVar("T")


def needs_server(command: Callable[P, T]) -> Callable[P, T]:
    """The subcommand, which raises CannotRun where the extra `server` is not installed."""

    @wraps(command)
    def told(*given: P.args, **named: P.kwargs) -> T:
        try:
            return command(*given, **named)
        except ModuleNotFoundError as error:
            module = (error.name or "").partition(".")[0]
            if not module or module.startswith("weir"):
                raise
            raise CannotRun(
                f"the extra `server` of Weir is not installed (there is no module {module}): "
                "pip install 'weir[server]'"
            ) from None

    return told
