"""What a campaign itself brings to its lab kernels: that is under test, and not the lab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from weir.runkey import canonical_json

from weir_orchestrator.db import Campaign

__all__ = ["own_kernel"]


def own_kernel(campaign: Campaign) -> object:
    """Its `kernel`, as experiment and factors have it, its patches, and controls in C.

    Equal for two campaigns that would make the same kernels of the same lab.
    """
    asked = [
        each for where in ("experiment", "factors") for each in _kernels(campaign.spec.get(where))
    ]
    named = {str(PurePosixPath(text)) for text in _texts(asked)}
    files = {
        name: sha256
        for name, sha256 in campaign.files.items()
        if name.endswith(".c") or name in named
    }
    return canonical_json(asked), files


def _kernels(part: object) -> Iterator[object]:
    """Each `kernel` or `kernel.field` in it, with its name."""
    if isinstance(part, dict):
        for key, each in part.items():
            if key.partition(".")[0] == "kernel":
                yield [key, each]
            else:
                yield from _kernels(each)


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from _texts(each)
    elif isinstance(part, str):
        yield part
