"""Files of which one worker of the suite takes all, one after the other."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

import pytest
from xdist.scheduler import LoadFileScheduling

if TYPE_CHECKING:
    from xdist.remote import Producer

_ENDS: Final = "_on_server"
"""They share a session's platform (fixture `server`), of which each worker would start one."""
_FOLDER: Final = "containers"
"""Its files share a platform in containers, too, and the images that it is made of."""


class _Scheduling(LoadFileScheduling):  # type: ignore[misc] # xdist has no types
    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        path = PurePosixPath(file)
        if path.parent.name == _FOLDER:
            return _FOLDER
        return _ENDS if path.stem.endswith(_ENDS) else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """As --dist loadfile, but for these files."""
    return _Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None
