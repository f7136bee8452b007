"""Films whose segments vary in size: made up by a seeded generator, or read from manifests."""

from __future__ import annotations

from weir.content.generate import generate
from weir.content.statistics import Statistics, statistics_of
from weir.content.table import BadContent, Film, Folder

__all__ = ["BadContent", "Film", "Folder", "Statistics", "generate", "statistics_of"]
