"""In what two built kernels differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weir_lab.kernel import inputs
from weir_lab.kernel.cache import Kernel

__all__ = ["Differences", "differences"]


@dataclass(frozen=True)
class Differences:
    """Lines that hold for one of both: a release, an option, a patch, a congestion control."""

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]

    @property
    def none(self) -> bool:
        """Whether they do not differ."""
        return not self.only_first and not self.only_second


def differences(first: Kernel, second: Kernel) -> Differences:
    """Of two kernels of the cache; of a hash alone, the lab's own C files may differ, too."""
    ours, theirs = list(_lines(first)), list(_lines(second))
    return Differences(
        tuple(line for line in ours if line not in theirs),
        tuple(line for line in theirs if line not in ours),
    )


def _lines(kernel: Kernel) -> Iterator[str]:
    yield f"release {kernel.release}"
    for number, name in enumerate(kernel.patches, 1):
        text = kernel.path.parent / "patches" / f"{number:04}-{name}"
        yield f"patch {name} ({inputs.file_hash(text)[: inputs.HASH_CHARS]})"
    yield from _options(kernel.path.with_name("config"))
    for control in kernel.congestion_controls:
        yield f"congestion control {control}"


def _options(config: Path) -> Iterator[str]:
    """Without those that tell of the compiler; an image keeps none."""
    with suppress(FileNotFoundError):
        for line in config.read_text().splitlines():
            if line.startswith("CONFIG_"):
                yield line
            elif line.startswith("# CONFIG_"):
                yield f"{line.split()[1]}=n"
