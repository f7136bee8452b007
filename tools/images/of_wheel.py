"""The lab kernel of a wheel weir-lab-kernel, for images."""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("SOURCE.md", "built_from.json", "LICENSES")
"""What goes into images with the kernel: where it came from, and under what terms."""


def hand_over(wheel: Path, folder: Path) -> str:
    """Make `folder` that of the wheel's kernel; empty, or why it is not used."""
    sys.path[:0] = [str(ROOT / part) for part in ("core", "lab", "engine")]
    from weir_engine import ready_made  # noqa: PLC0415 - found by that path

    with tempfile.TemporaryDirectory(prefix="weir-wheel-") as scratch:
        package = Path(scratch, ready_made.PACKAGE)
        try:
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(scratch)
            (package / "kernel" / "linux").chmod(0o755)  # which zipfile leaves out
            ready_made.check(ready_made.read(package))
            for name in BESIDE:
                copy = shutil.copytree if (package / name).is_dir() else shutil.copy2
                copy(package / name, package / "kernel" / name)
        except (OSError, zipfile.BadZipFile, ready_made.Unfit) as error:
            return f"{wheel}: {error}"
        shutil.copytree(package / "kernel", folder)
    return ""
