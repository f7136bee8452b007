"""SHA256SUMS, as sha256sum(1) checks it."""

from __future__ import annotations

from pathlib import Path

from weir_lab.kernel.inputs import file_hash

__all__ = ["write"]


def write(folder: Path) -> Path:
    """Of all files in a folder, in the order of their names."""
    sums = folder / "SHA256SUMS"
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != sums)
    sums.write_text("".join(f"{file_hash(path)}  {path.name}\n" for path in files))
    return sums
