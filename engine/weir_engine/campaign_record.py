"""What the store keeps of a campaign, beside its runs: campaigns/NAME/campaign.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from weir.spec.campaign import Campaign

    from weir_engine.task import Task

__all__ = ["CampaignRecord", "DescribedCampaign", "RecordedRun", "record"]


class RecordedRun(TypedDict):
    """levels: factor path -> level as written."""

    key: str
    levels: dict[str, Any]
    replicate: int
    seed: int


class DescribedCampaign(TypedDict):
    """The spec as read. paper: the file's content, or None. factors: without a searched one."""

    name: str
    description: str
    spec: dict[str, Any]
    factors: list[str]
    paper: dict[str, Any] | None


class CampaignRecord(DescribedCampaign):
    """With its runs in order."""

    format: int
    runs: list[RecordedRun]


def record(campaign: Campaign, all_tasks: list[Task]) -> CampaignRecord:
    """What campaign.json holds."""
    from weir.spec.paper_load import load_paper  # noqa: PLC0415 - slow to import

    path = campaign.paper_path
    searched = campaign.search.factor if campaign.search else None
    return {
        "format": 1,
        "name": campaign.name,
        "description": campaign.description,
        "spec": campaign.model_dump(mode="json"),
        "factors": list(
            dict.fromkeys(path for task in all_tasks for path in task.levels if path != searched)
        ),
        "paper": load_paper(path).model_dump(mode="json") if path else None,
        "runs": [
            {
                "key": task.key,
                "levels": task.levels,
                "replicate": task.replicate,
                "seed": task.seed,
            }
            for task in all_tasks
        ],
    }
