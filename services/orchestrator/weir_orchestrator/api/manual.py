"""The documentation at /docs, as `make docs` leaves it; for everybody."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from weir_orchestrator import shipped

__all__ = ["SITE", "install"]

SITE: Final = shipped.folder("documentation")
_INLINE: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HEADERS: Final = {"Cache-Control": "no-cache"}
# Its pages show source and packets of text as they are; the scripts in them are named one by one.
_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' {scripts}",
        # Its scripts make style sheets, which run nothing.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_NOT_BUILT: Final = """<!doctype html><html lang="en"><title>Weir</title>
<h1>The documentation is not built</h1>
<p>Run <code>make docs</code> and load this page again. The same pages are in the checkout's folder
<code>docs</code>.</p></html>"""


class _Site(StaticFiles):
    """Pages with a policy of their own, each."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(_HEADERS)
        if os.fspath(full_path).endswith(".html"):
            policy = _policy(Path(full_path), stat_result.st_mtime_ns)
            response.headers["Content-Security-Policy"] = policy
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        if self.directory is None or not Path(self.directory).is_dir():
            return HTMLResponse(_NOT_BUILT, 503, _HEADERS)
        return await super().get_response(path, scope)

    async def check_config(self) -> None:
        """It may be built while this runs."""


def install(app: FastAPI, site: Path = SITE) -> None:
    """Answer /docs and what is below it."""
    app.add_route("/docs", _first, methods=["GET"], include_in_schema=False)
    app.mount("/docs", _Site(directory=site, html=True, check_dir=False))


def _first(_: Request) -> Response:
    return RedirectResponse("/docs/")


@lru_cache(maxsize=256)
def _policy(file: Path, _changed: int) -> str:
    """What a page may run: files of its own origin, and its own inline scripts by their hashes."""
    found = _INLINE.findall(file.read_text(encoding="utf-8"))
    hashes = (base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in found)
    return _POLICY.format(scripts=" ".join(f"'sha256-{each}'" for each in sorted(set(hashes))))
