"""Alarms as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody, Switch

__all__ = ["AlarmChange", "AlarmOut"]

Note = Annotated[str, Field(max_length=2000, pattern=r"^[^\x00]*$", examples=["known: issue 12"])]


class AlarmOut(BaseModel):
    """A metric of a combination that became worse than the baseline."""

    id: int = Field(description="Larger for later ones.")
    trend: int = Field(description="Its trend.")
    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.", examples=["stall_mean_s"])
    opened_at: datetime = Field(description="When a night was found to be worse.")
    opened_by: uuid.UUID = Field(description="That night's campaign.")
    worse_in: uuid.UUID = Field(description="The campaign of the last night that was worse.")
    before: float | None = Field(
        description="The baseline's median then; null: that night was deleted."
    )
    difference: float | None = Field(description="Median of the pairs' differences to it, then.")
    closed_at: datetime | None = Field(description="When it was good again; null: it is open.")
    closed_by: uuid.UUID | None = Field(description="The campaign that was good again.")
    acknowledged_at: datetime | None = Field(description="Since when somebody looks after it.")
    acknowledged_by: str | None = Field(description="That one's address; null where gone.")
    muted_until: datetime | None = Field(description="No webhook tells of it until then.")
    note: str = Field(description="By people.")


class AlarmChange(RequestBody):
    """What to change; what is left out or null stays."""

    acknowledged: Switch | None = Field(
        default=None, description="true: you look after it; false: nobody does."
    )
    muted_until: AwareDatetime | None = Field(
        default=None, description="Tell no webhook of it until then; a time that is over: do."
    )
    note: Note | None = Field(default=None, description="Instead of the one so far.")
