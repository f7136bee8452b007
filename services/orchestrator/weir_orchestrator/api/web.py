"""The pages of the web UI, as `make web` leaves them."""

from __future__ import annotations

import mimetypes
import os
import secrets
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from weir_orchestrator import shipped

__all__ = ["DIST", "install"]

DIST: Final = shipped.folder("page")
_PLACEHOLDER: Final = "WEIR_CSP_NONCE"
"""vite.config.ts has it put where a nonce belongs."""

_HEADERS: Final = {"Cache-Control": "no-cache"}
# Style attributes are what the component and plot libraries position things with; they run nothing.
_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'nonce-{nonce}'",
        "style-src 'self' 'nonce-{nonce}'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
_NOT_BUILT: Final = """<!doctype html><html lang="en"><title>Weir</title>
<h1>The web pages are not built</h1>
<p>Run <code>make web</code> and load this page again. The API is there: <a
href="/api/v1/docs">/api/v1/docs</a>.</p></html>"""


class _Hashed(StaticFiles):
    """Files whose name changes with their content, each with a compressed one beside it."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        packed = Path(f"{os.fspath(full_path)}.gz")
        if "gzip" in Headers(scope=scope).get("accept-encoding", "") and packed.is_file():
            response = super().file_response(packed, packed.stat(), scope, status_code)
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Content-Type"] = _type_of(full_path)
        else:
            response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    async def check_config(self) -> None:
        """They may be built while this runs; until then none is found."""


def install(app: FastAPI, dist: Path = DIST) -> None:
    """Serve the pages at every path that nothing else answers; call it after all other routes."""
    assets = _Hashed(directory=dist / "assets", check_dir=False)
    app.mount("/assets", assets)

    def page(request: Request) -> Response:
        """A file beside the pages, or the pages' one document: they find their way by the URL."""
        path: str = request.path_params["path"]
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404)
        file = dist / path
        if path and "/" not in path and not path.startswith(".") and file.is_file():
            return FileResponse(file, headers=_HEADERS)
        return _document(dist)

    app.add_route("/{path:path}", page, methods=["GET"], include_in_schema=False)


def _type_of(path: str | os.PathLike[str]) -> str:
    found = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{found}; charset=utf-8" if found.startswith("text/") else found


def _document(dist: Path) -> Response:
    nonce = secrets.token_urlsafe(16)
    headers = _HEADERS | {"Content-Security-Policy": _POLICY.format(nonce=nonce)}
    try:
        text = (dist / "index.html").read_text(encoding="utf-8")
    except FileNotFoundError:
        return HTMLResponse(_NOT_BUILT, 503, headers)
    # Not kept: another answer has another nonce.
    headers["Cache-Control"] = "no-store"
    return HTMLResponse(text.replace(_PLACEHOLDER, nonce), headers=headers)
