"""Methods of both clients from one description: sent and answered now, or on an event loop.

At run time a method is a plain function that hands its description to `self`. What comes back
follows from which client that is: the two protocols say so to type checkers and editors.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from weir_sdk.aio import AsyncSender
from weir_sdk.call import Call, Page, Procedure
from weir_sdk.events import Event, Resuming
from weir_sdk.sync import Sender

__all__ = ["Listing", "Method", "does", "goes", "lists", "watches"]

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
D = TypeVar("D")


class Method(Protocol[P, T_co]):
    """A method with one result, which AsyncClient's is awaited for."""

    @overload
    def __get__(self, client: Sender, owner: type) -> Callable[P, T_co]: ...
    @overload
    def __get__(
        self, client: AsyncSender, owner: type
    ) -> Callable[P, Coroutine[Any, Any, T_co]]: ...
    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Any]: ...


class Listing(Protocol[P, T_co]):
    """A method with many results, which AsyncClient's gives to `async for`."""

    @overload
    def __get__(self, client: Sender, owner: type) -> Callable[P, Iterator[T_co]]: ...
    @overload
    def __get__(self, client: AsyncSender, owner: type) -> Callable[P, AsyncIterator[T_co]]: ...
    @overload
    def __get__(self, client: None, owner: type) -> Callable[Concatenate[Any, P], Any]: ...


def does(make: Callable[P, Call[T]]) -> Method[P, T]:
    """A method that sends the call which `make` describes."""
    return cast("Method[P, T]", _method(make, lambda client, call: client.send(call)))


def goes(make: Callable[P, Procedure[T]]) -> Method[P, T]:
    """A method that carries a procedure out."""
    return cast("Method[P, T]", _method(make, lambda client, procedure: client.go(procedure)))


def lists(make: Callable[P, Call[Page[T]]]) -> Listing[P, T]:
    """A method that gives all items of a list; `limit` is how many are asked for at a time."""
    return cast("Listing[P, T]", _method(make, lambda client, call: client.all(call)))


def watches(make: Callable[P, Resuming]) -> Listing[P, Event]:
    """A method that gives events as they happen, without end."""
    return cast("Listing[P, Event]", _method(make, lambda client, stream: client.watch(stream)))


def _method(
    make: Callable[P, D], carry_out: Callable[[Any, D], Any]
) -> Callable[Concatenate[Any, P], Any]:
    def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        return carry_out(self, make(*args, **kwargs))

    functools.update_wrapper(method, make)
    # Of `make` it would be, which has no `self` for a bound method to drop.
    own = inspect.signature(make)
    client = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    vars(method)["__signature__"] = own.replace(parameters=[client, *own.parameters.values()])
    return method
