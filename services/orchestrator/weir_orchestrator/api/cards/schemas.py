"""Cards as the API shows and takes them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Final

from pydantic import BaseModel, Field

from weir_orchestrator.api.request_body import RequestBody, WholeNumber

__all__ = [
    "MOST_CARDS",
    "MOST_NIGHTS",
    "MOST_RUNS",
    "CardCampaign",
    "CardChange",
    "CardDetail",
    "CardIn",
    "CardOut",
    "CardRun",
    "LinkOut",
    "Numbers",
    "Picture",
]

MOST_CARDS: Final = 500
"""Of one team."""
MOST_RUNS: Final = 2_000
"""Whose keys one card names."""
MOST_NIGHTS: Final = 400
"""Of a trend that one card shows."""
_LONGEST_PICTURE: Final = 1_400_000

Name = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$", examples=["Figure 3"])
]
Text = Annotated[
    str, Field(max_length=20_000, pattern=r"^[^\x00]*$", description="What it shows, in words.")
]
Cell = Annotated[str, Field(max_length=300)] | float | None


class Picture(RequestBody):
    """A drawing of the view."""

    type: str = Field(
        pattern=r"^image/(svg\+xml|png)$", description="Of its bytes.", examples=["image/png"]
    )
    base64: str = Field(
        max_length=_LONGEST_PICTURE,
        pattern=r"^[A-Za-z0-9+/]+={0,2}$",
        description="Its bytes; at most a million of them.",
        examples=["iVBORw0KGgo="],
    )


class Numbers(RequestBody):
    """What the view draws: a table, with each row as long as the columns."""

    columns: list[Annotated[str, Field(max_length=200)]] = Field(
        max_length=60, description="Names, with units."
    )
    rows: list[Annotated[list[Cell], Field(max_length=60)]] = Field(
        max_length=2_000, description="Numbers and words; null: none."
    )


class CardIn(RequestBody):
    """A view to keep. Campaigns, kernels and keys are added by the server."""

    name: Name = Field(description="Of the card.")
    text: Text = ""
    title: Name = Field(description="Of the view, as it names itself.")
    view: str = Field(
        max_length=4_000,
        pattern=r"^/teams/[a-z0-9-]+/[^\x00-\x20\x7f\\]*$",
        description="The web page's address that draws it again, without the server.",
        examples=["/teams/qoe-lab/campaigns/6f0d0000-0000-4000-8000-000000000002/results"],
    )
    picture: Picture | None = Field(default=None, description="null: the view is a table.")
    numbers: Numbers = Field(description="What it draws.")
    trend: Annotated[WholeNumber, Field(ge=1, le=2**63 - 1)] | None = Field(
        default=None,
        description="A schedule's trend that it shows: of its nights the runs that succeeded at "
        "its combination; null: it shows none.",
    )
    campaigns: list[uuid.UUID] = Field(
        default=[],
        max_length=MOST_NIGHTS,
        description="That it shows, at most two; empty: those of the runs. Of a trend, which of "
        f"its nights; empty: the newest {MOST_NIGHTS}.",
    )
    runs: list[Annotated[WholeNumber, Field(ge=1, le=2**63 - 1)]] = Field(
        default=[],
        max_length=MOST_RUNS,
        description="That it shows; empty: all of the campaigns, or those of the trend.",
    )


class CardChange(RequestBody):
    """What to change; what is left out or null stays."""

    name: Name | None = Field(default=None, description="Of the card.")
    text: Text | None = Field(default=None, description="Instead of the one so far.")


class CardCampaign(BaseModel):
    """A campaign as it was when the card was made."""

    id: uuid.UUID = Field(description="It may have been deleted since.")
    name: str = Field(description="Of the campaign.")
    document: str = Field(
        description="The campaign file as YAML or JSON text; of a night, empty: as that of the one "
        "before."
    )
    kernel_hash: str = Field(description="Of the lab kernel that its runs needed, or of all.")
    roles_hash: str = Field(description="Of the programs in the cell.")
    runs: int = Field(description="Of it that the card shows.")
    night: datetime | None = Field(
        default=None,
        description="When it was submitted, where the card shows a trend that it is a night of; "
        "null: it shows none.",
    )


class CardRun(BaseModel):
    """A run that the card shows."""

    id: int = Field(description="It may have been deleted since.")
    key: str = Field(description="Equal keys: equal bytes.")
    seed: str = Field(description="As text: it may be larger than a number of JavaScript.")
    state: str = Field(description="When the card was made.")


class CardOut(BaseModel):
    """A kept view, as a list shows it."""

    id: uuid.UUID = Field(description="Of the card.")
    name: str = Field(description="By people.")
    text: str = Field(description="By people.")
    title: str = Field(description="Of the view, as it names itself.")
    view: str = Field(description="The web page's address that draws it again.")
    has_picture: bool = Field(description="Else it is a table.")
    shared: bool = Field(description="Whoever has its link sees it.")
    created_by: str | None = Field(description="That one's address; null where gone.")
    created_at: datetime = Field(description="When it was kept.")


class CardDetail(CardOut):
    """A kept view with all that it was made of."""

    numbers: Numbers = Field(description="What it draws.")
    campaigns: list[CardCampaign] = Field(description="That it shows.")
    runs: list[CardRun] = Field(
        description=f"That it shows, the first {MOST_RUNS:,} of them, in the campaign's order; of "
        "a trend the newest night's first."
    )


class LinkOut(BaseModel):
    """Where everyone sees the card."""

    path: str = Field(
        description="Of its address at this server, told once; who has it sees the card and "
        "nothing else, until the link is ended."
    )
