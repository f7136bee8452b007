"""What the models of requests' bodies share."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["RequestBody", "Switch", "WholeNumber"]

_MOST_FIELDS: Final = 64

# JSON has numbers and truth values of its own: `false` is no 0, and "1" no 1.
WholeNumber = Annotated[int, Field(strict=True)]
Switch = Annotated[bool, Field(strict=True)]


class RequestBody(BaseModel):
    """Takes the fields it has, and no others."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _few_fields(cls, given: Any) -> Any:
        # Each unknown one would become an error of its own: a million of them take 1 GB.
        if isinstance(given, dict) and len(given) > _MOST_FIELDS:
            raise ValueError(f"at most {_MOST_FIELDS} fields, not {len(given)}")
        return given
