"""What is to be done, told apart from doing it: the same for both clients.

A `Call` is one request. A `Procedure` is a generator that yields steps and is sent what came of
each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeAlias, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, TypeAdapter, ValidationError

from weir_sdk.errors import BadAnswer

__all__ = [
    "IDEMPOTENCY_KEY",
    "Call",
    "Json",
    "Levels",
    "Page",
    "Pause",
    "Procedure",
    "Save",
    "Step",
    "asked",
    "body",
    "nothing",
    "path",
    "raw",
    "text",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
IDEMPOTENCY_KEY: Final = "Idempotency-Key"
Levels: TypeAlias = Mapping[str, str | Sequence[str]]
"""Factor path -> the level, or levels of which any will do, as text."""


class Page(BaseModel, Generic[T]):
    """Items in order; next: the cursor of the page after, None on the last."""

    items: list[T]
    next: str | None = None


class Json(Generic[T]):
    """Reads an answer as that kind. Raises BadAnswer."""

    def __init__(self, kind: type[T]) -> None:
        self.kind = kind
        self._adapter: TypeAdapter[T] | None = None

    def __call__(self, response: httpx2.Response) -> T:
        if self._adapter is None:
            self._adapter = TypeAdapter(self.kind)
        try:
            return self._adapter.validate_json(response.content)
        except ValidationError as error:
            url = response.request.url
            raise BadAnswer(f"{url} answered what this version does not know: {error}") from None


def nothing(response: httpx2.Response) -> None:
    """For answers without a body."""


def text(response: httpx2.Response) -> str:
    """The answer as text."""
    return response.content.decode(errors="replace")


def raw(response: httpx2.Response) -> bytes:
    """The answer as it came."""
    return response.content


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request. path: below /api/v1. answer: reads what comes back.

    harmless: changes nothing, whatever the method. once: the second time it means something else.
    """

    method: str
    path: str
    answer: Callable[[httpx2.Response], T]
    params: tuple[tuple[str, str], ...] = ()
    json: Any = None
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    harmless: bool = False
    once: bool = False

    @property
    def repeatable(self) -> bool:
        """Whether it may be sent again without knowing what became of it."""
        if self.once:
            return False
        return self.harmless or self.method in {"GET", "PUT"} or IDEMPOTENCY_KEY in self.headers

    def following(self, cursor: str) -> Call[T]:
        """The same list from a cursor on."""
        kept = tuple(pair for pair in self.params if pair[0] != "cursor")
        return Call(self.method, self.path, self.answer, (*kept, ("cursor", cursor)))


@dataclass(frozen=True)
class Pause:
    """Step: wait."""

    seconds: float


@dataclass(frozen=True)
class Save:
    """Step: write the answer to a file, which appears when it is whole."""

    call: Call[bytes]
    path: Path


Step: TypeAlias = Call[Any] | Pause | Save
Procedure: TypeAlias = Generator[Step, Any, T]


def path(*parts: object) -> str:
    """`/campaigns/ID/runs`: the parts, each escaped."""
    return "".join(f"/{quote(str(part), safe='')}" for part in parts)


def asked(levels: Levels | None = None, **values: Any) -> tuple[tuple[str, str], ...]:
    """Query parameters of what is not None; of a list one each."""
    named = {f"level.{name}": level for name, level in (levels or {}).items()} | values
    pairs = []
    for name, value in named.items():
        several = value if isinstance(value, list | tuple) else [value]
        pairs += [(name, _shown(each)) for each in several if each is not None]
    return tuple(pairs)


def body(**values: Any) -> dict[str, Any]:
    """A JSON body of what is not None."""
    return {name: value for name, value in values.items() if value is not None}


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
