"""Weir's packages that a cell's hosts run, wherever they are installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

from weir_lab.host_paths import of_one_length

__all__ = ["HTTP2", "PACKAGES", "folder_of", "folders", "python_path"]

PACKAGES: Final = ("weir", "weir_lab", "weir_server", "weir_gateway", "weir_client")
"""Their sources decide what a run writes; the lab kernel has a hash of its own."""
HTTP2: Final = ("h2", "hpack", "hyperframe")
"""What clients need beside them where they speak HTTP/2."""


def folder_of(package: str) -> Path:
    """Where a package's sources stand, found without importing it. Raises ImportError."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{package} is not installed; install weir anew")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def folders(http2: bool = False) -> dict[str, str]:
    """The folder of each package, as a guest is told."""
    names = (*PACKAGES, *HTTP2) if http2 else PACKAGES
    return {package: of_one_length(folder_of(package)) for package in names}


def python_path() -> list[str]:
    """Folders that hold these packages."""
    return list(dict.fromkeys(str(folder_of(package).parent) for package in PACKAGES))
