"""How far the building of a lab kernel is."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from weir_orchestrator.cli.common import notes

__all__ = ["KernelProgress"]

_WHAT_WIDTH = 48


class KernelProgress:
    """A progress bar on a terminal; elsewhere a line per tenth of the way."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=notes
        )
        self._task = self._bar.add_task("lab kernel", total=None)
        self._told = -1

    def __enter__(self) -> KernelProgress:
        if notes.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if notes.is_terminal:
            self._bar.stop()

    def progress(self, done: int, total: int, what: str) -> None:
        """As `weir_lab.kernel.Progress`."""
        if notes.is_terminal:
            text = what[:_WHAT_WIDTH].ljust(_WHAT_WIDTH)
            self._bar.update(self._task, completed=done, total=total, description=text)
            return
        tenth = 10 * done // max(total, 1)
        if tenth != self._told:
            self._told = tenth
            notes.print(f"lab kernel: {10 * tenth} % {what[:_WHAT_WIDTH]}", markup=False)
