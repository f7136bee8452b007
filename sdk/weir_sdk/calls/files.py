"""Files that campaigns refer to."""

from __future__ import annotations

import hashlib

from weir_sdk.call import Call, Json, Page, asked, path
from weir_sdk.models import FileOut

__all__ = ["list_files", "upload_file"]


def upload_file(team: str, content: bytes) -> Call[FileOut]:
    """Upload a file; campaigns name it by the answer's `sha256`. Twice is as good as once."""
    sha256 = hashlib.sha256(content).hexdigest()
    headers = {"Content-Type": "application/octet-stream"}
    where = path("teams", team, "files", sha256)
    return Call("PUT", where, Json(FileOut), content=content, headers=headers)


def list_files(team: str, limit: int = 500) -> Call[Page[FileOut]]:
    """A team's files, newest first."""
    return Call("GET", path("teams", team, "files"), Json(Page[FileOut]), asked(limit=limit))
