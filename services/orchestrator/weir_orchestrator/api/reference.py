"""The interactive reference, /api/v1/docs: Swagger UI from our own disk, and its OpenAPI."""

from __future__ import annotations

import json
import secrets
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.exceptions import HTTPException

__all__ = ["OPENAPI", "install"]

OPENAPI: Final = "/api/v1/openapi.json"
_DOCS: Final = "/api/v1/docs"
_FILES: Final = ("swagger-ui-bundle.js", "swagger-ui.css")
_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'nonce-{nonce}'",
        "style-src 'self'",
        # What Swagger UI shows and hides by; it runs nothing.
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Weir: API</title>
<link rel="stylesheet" href="{docs}/swagger-ui.css"></head><body><div id="swagger-ui"></div>
<script src="{docs}/swagger-ui-bundle.js"></script>
<script nonce="{nonce}">SwaggerUIBundle({{url: "{openapi}", dom_id: "#swagger-ui",
deepLinking: true, validatorUrl: null}})</script></body></html>"""


def install(app: FastAPI) -> None:
    """Answer both; the application is to have all its routes when it is first asked."""
    # Starlette's routes: FastAPI keeps what it knows of an endpoint for the process's life, and
    # with it all that the endpoint knows.
    app.state.openapi = cache(lambda: json.dumps(app.openapi()).encode())
    for path, endpoint in ((OPENAPI, _document), (_DOCS, _page), (f"{_DOCS}/{{name}}", _file)):
        app.add_route(path, endpoint, methods=["GET"], include_in_schema=False)


async def _document(request: Request) -> Response:
    # Half a megabyte, which is not made anew for everybody who asks.
    return Response(request.app.state.openapi(), media_type="application/json")


async def _page(request: Request) -> Response:
    nonce = secrets.token_urlsafe(16)
    text = _PAGE.format(docs=_DOCS, openapi=OPENAPI, nonce=nonce)
    headers = {
        "Content-Security-Policy": _POLICY.format(nonce=nonce),
        "Cache-Control": "no-store",
    }
    return HTMLResponse(text, headers=headers)


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _FILES:
        raise HTTPException(404)
    # The files of this package, and nothing of its code: that makes an application of its own.
    return FileResponse(str(files("fastapi_offline") / "static" / name))
