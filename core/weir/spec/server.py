"""The server as users write it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from weir.resolved import EcnMode
from weir.spec.model import Model
from weir.spec.quantities import refusal

__all__ = ["OptionValue", "Server"]

OptionValue = str | int | float | bool


def _http_version(value: object) -> object:
    """As written: 1.1, 2 or "2"."""
    word = {1.1: "1.1", 2: "2"}.get(value, value) if isinstance(value, float | int) else value
    if word not in ("1.1", "2"):
        raise refusal("1.1 or 2", "write one of them; HTTP/3 runs over QUIC, not over TCP")
    return word


HttpVersion = Annotated[
    Literal["1.1", "2"],
    BeforeValidator(_http_version),
    WithJsonSchema({"enum": [1.1, 2, "1.1", "2"]}),
]


class Server(Model):
    """The web server's host."""

    http: Literal["nginx", "apache"] = "nginx"
    http_version: HttpVersion = Field(
        default="1.1", description="2: without TLS, by prior knowledge (RFC 9113, section 3.3)."
    )
    congestion_control: str = Field(
        default="cubic",
        pattern=r"^[a-z0-9_]+$",
        max_length=15,
        description="The kernel's name of it; `weir kernel list` shows those that are built in.",
        examples=["cubic", "illinois"],
    )
    congestion_control_options: dict[
        Annotated[str, Field(pattern=r"^[a-z0-9_]+$", max_length=64)],
        Annotated[str, Field(pattern=r"^[-+0-9a-zA-Z_.]+$", max_length=64)] | bool | int,
    ] = Field(
        default={},
        description="Parameters of its module, written before the server starts.",
        examples=[{"pacing": True}],
    )
    initial_ssthresh: int | None = Field(
        default=None,
        ge=2,
        le=1_000_000,
        description="Slow-start threshold that each connection begins with, in segments, as if "
        "inherited from an earlier one to the same client; null: infinite, as Linux has it.",
        examples=[27],
    )
    ecn: EcnMode | None = Field(
        default=None,
        description="What it accepts (and asks for), by the names of net.ipv4.tcp_ecn's values; "
        "accurate is AccECN (RFC 9768). Default: classic-if-asked, and what `prague` needs.",
    )
    scheduler: str = Field(
        default="default",
        pattern=r"^[a-z0-9_]+$",
        max_length=15,
        description="Which of a connection's paths carries what: MPTCP's scheduler.",
        examples=["default", "redundant"],
    )
    sysctls: dict[
        Annotated[str, Field(pattern=r"^net\.[a-z0-9_./]+$")],
        Annotated[str, Field(pattern=r"^[-0-9a-z_ \t]+$", max_length=200)] | int,
    ] = Field(
        default={},
        description="Set in the server's network namespace before the start.",
        examples=[{"net.ipv4.tcp_slow_start_after_idle": 0}],
    )
