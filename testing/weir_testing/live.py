"""`weir up` as a subprocess: a whole embedded platform with a worker on the real lab kernel."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from weir_testing.command import WEIR
from weir_testing.patience import PATIENCE_S

_SAYS = "Weir is at "


@dataclass(frozen=True)
class Live:
    """store: the folder that is its object store."""

    url: str
    store: Path


@contextmanager
def up(folder: Path, *options: str) -> Iterator[Live]:
    """A platform in a folder; what it says besides its address goes to up.log."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WEIR_")}
    with (folder / "up.log").open("w") as log:
        process = subprocess.Popen(
            [WEIR, "up", "--data", folder / "data", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
        )
        assert process.stdout is not None
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        try:
            said = process.stdout.readline().strip()
            patience.cancel()
            assert said.startswith(_SAYS), (folder / "up.log").read_text()
            yield Live(said.removeprefix(_SAYS), folder / "data/store")
        finally:
            patience.cancel()
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
