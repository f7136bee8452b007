"""What the parts of a paper's file share: the base model, and lists of one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

__all__ = ["Levels", "PaperModel", "Selection"]


class PaperModel(BaseModel):
    """Refuses unknown keys; numbers that stand where names do are names."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True)


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


Levels = Annotated[list[str], BeforeValidator(_listed), Field(min_length=1)]
"""One level or a list of them, as text."""


def _named(value: Any) -> Any:
    """YAML reads the key of `{2: ...}` as a number."""
    return {str(key): below for key, below in value.items()} if isinstance(value, dict) else value


Selection = Annotated[dict[str, Levels], BeforeValidator(_named)]
"""Axis -> levels to keep; axes that are not named keep all."""
