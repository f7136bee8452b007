"""The lab kernel's own source, which tests need that make other kernels of it."""

from __future__ import annotations

from typing import Final

import pytest
from weir_lab import kernel
from weir_lab.kernel import Kernel, cache

__all__ = ["NEEDS_KERNEL_SOURCE", "built"]


def built() -> Kernel | None:
    """The lab kernel; None: its source is not here, as in images."""
    own = kernel.find()
    return own if own and cache.source_of(own) else None


NEEDS_KERNEL_SOURCE: Final = pytest.mark.skipif(
    built() is None, reason="no kernel source: weir kernel build"
)
