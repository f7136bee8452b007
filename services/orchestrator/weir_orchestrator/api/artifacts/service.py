"""Handing out the files of ended runs."""

from __future__ import annotations

import mimetypes
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from fastapi.responses import RedirectResponse, Response, StreamingResponse

from weir_orchestrator.api.artifacts.archive import Archive
from weir_orchestrator.api.artifacts.schemas import ArtifactOut
from weir_orchestrator.errors import NotFound
from weir_orchestrator.objects import ObjectNotFound
from weir_orchestrator.recorded import RunFiles

__all__ = ["archived", "hand_out", "listed", "media_type", "streamed"]

_VALID_FOR: Final = timedelta(minutes=10)
_TEXT: Final = "text/plain; charset=utf-8"
_TYPES: Final = {".parquet": "application/vnd.apache.parquet", ".jsonl": "application/x-ndjson"}
_SHOWN: Final = frozenset({".json", ".jsonl", ".txt", ".log"})
"""Files that a browser may show; as text, for nothing in them may run."""


def media_type(name: str) -> str:
    """Of a file by its name."""
    suffix = PurePosixPath(name).suffix
    return _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def listed(files: RunFiles, base: str) -> list[ArtifactOut]:
    """All files; base: the path below which each is asked for."""
    return [
        ArtifactOut(
            name=name,
            size_bytes=file.size_bytes,
            media_type=media_type(name),
            url=f"{base}/{quote(name)}",
        )
        for name, file in files.listed().items()
    ]


def hand_out(files: RunFiles, name: str, inline: bool) -> Response:
    """A redirection to where the store gives the file itself, else the file.

    Raises NotFound for a name that is not in the run directory.
    """
    shown = inline and PurePosixPath(name).suffix in _SHOWN
    if name not in files.small():
        if name not in files.listed():
            raise NotFound(f"this run has no file {name!r}; its artifacts are listed")
        if not shown and (url := files.objects.presigned_get(files.key(name), _VALID_FOR)):
            return RedirectResponse(url, 307, headers={"Cache-Control": "no-store"})
    return streamed(files, name, inline=shown)


def streamed(files: RunFiles, name: str, *, inline: bool) -> Response:
    """The file's bytes as they come out of the store. Raises NotFound."""
    try:
        size_bytes, chunks = files.stream(name)
    except ObjectNotFound:
        raise NotFound(f"this run left no {name}") from None
    headers = _headers(PurePosixPath(name).name, size_bytes, inline)
    kind = _TEXT if inline else media_type(name)
    return StreamingResponse(chunks, headers=headers, media_type=kind)


def archived(files: RunFiles, folder: str) -> Response:
    """All files as FOLDER.tar, which unpacks to a folder of that name."""
    archive = Archive(files, folder)
    headers = _headers(f"{folder}.tar", archive.size_bytes, inline=False)
    return StreamingResponse(archive.chunks(), headers=headers, media_type="application/x-tar")


def _headers(name: str, size_bytes: int, inline: bool) -> dict[str, str]:
    return {
        "Content-Length": str(size_bytes),
        "Content-Disposition": "inline"
        if inline
        else f"attachment; filename*=UTF-8''{quote(name)}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
        # Without a policy of its own a file could act as a page of this site.
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
