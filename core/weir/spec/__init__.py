"""Experiments and campaigns as users write them: read, check, resolve."""

from __future__ import annotations

from weir.spec.campaign import Campaign
from weir.spec.experiment import Experiment
from weir.spec.load import load_campaign, parse_campaign
from weir.spec.overriding import parse_override
from weir.spec.paper import Paper, PaperTable
from weir.spec.paper_load import load_paper
from weir.spec.players import PLAYERS
from weir.spec.schema import json_schema

__all__ = [
    "PLAYERS",
    "Campaign",
    "Experiment",
    "Paper",
    "PaperTable",
    "json_schema",
    "load_campaign",
    "load_paper",
    "parse_campaign",
    "parse_override",
]
